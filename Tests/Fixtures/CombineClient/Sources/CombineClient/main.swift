import Combine

let board = Scoreboard()
board.lines { print($0) }
board.play([2, 0, 3].publisher)
for line in countTicks(2) { print(line) }
print(namesakes.joined(separator: " "))
for line in overloads() { print(line) }
print(sinkOverloads())
