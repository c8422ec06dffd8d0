// Runs one shape with a number of parts: `.ci/scaling` counts the instructions.

let shapes =
  subscriberShapes + upstreamShapes + demandShapes + substreamShapes + timerShapes
  + testingShapes
let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.count) {
case ("--list", 1):
  for shape in shapes { print(shape.name) }
case (let name?, 2):
  guard let shape = shapes.first(where: { $0.name == name }) else { fatalError("There is no shape named \(name).") }
  guard let count = Int(arguments.last ?? "") else { fatalError("The second argument is a number of parts.") }
  shape.run(count)
default:
  print("usage: Scaling --list | SHAPE COUNT")
}
