import Foundation

var command = Command()
command.isColoured = isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
command.columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) } ?? 80
let status = try command.run(Array(CommandLine.arguments.dropFirst()))
FileHandle.standardOutput.write(Data(command.output.utf8))
FileHandle.standardError.write(Data(command.complaints.utf8))
exit(status)
