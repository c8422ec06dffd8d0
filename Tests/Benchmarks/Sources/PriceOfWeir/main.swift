// What a program with twenty pipelines costs to build, and how large it is: `.ci/price`. The two targets have these
// files in common, so the program is the same with either library. So is what it prints, apart from the order of a
// subject's subscribers, which OpenCombine leaves open.

let model = Model()
let subscriptions = model.pipelines
model.run()
withExtendedLifetime(subscriptions) {}
for line in model.lines { print(line) }
