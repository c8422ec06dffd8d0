// Programs that failed once, in their shortest form. Every campaign runs them first.

/// The fault, and the program's text.
let kept: [(fault: String, program: String)] = [
  (
    "A completion during the closure of handleEvents preceded the subscription, and zip waited for the subscription.",
    "first | handleEvents | zip(sequence); numbers 1; demand unlimited; acts 0:first.fail; play"
  ),
  (
    "A completion during the closure of handleEvents preceded the subscription, and amb waited for it.",
    "second | handleEvents | amb(sequence); numbers 1; demand unlimited; acts 0:second.finish; play"
  ),

  // Cases that the campaign mistook for faults.
  (
    "scan delivers the values that its closure sent, although the subscriber has cancelled.",
    "first | scan; demand unlimited; acts 1:first=1 2:cancel; play first=2"
  ),
  (
    "scan delivers a result, although the release of the previous one has cancelled.",
    "sequence | drop | scan; numbers 6; demand 3; acts 0:first=2 1:first=2 21:cancel; play second=1 request"
  ),
  (
    "scan delivers a completion that its closure caused, although the subscriber has cancelled.",
    "sequence | ignoreOutput(second) | scan | scan; numbers 0; demand unlimited; acts 26:second.fail 27:first=4 31:cancel; "
      + "play second=3 second=0; play second=5 second=3 second=2"
  ),
  (
    "map delivers the value whose closure has completed the subject.",
    "first | map | map; demand unlimited; acts 1:first.fail; play first=1 first=3"
  ),
  (
    "A publisher completes before it sends its subscription.",
    "rogue | handleEvents | withLatestFrom(sequence); numbers 1; tickets 0; demand unlimited; play rogue.fail"
  ),

  // Cases that the models had to learn.
  (
    "A buffer drops values before zip has demand.",
    "sequence | buffer | zip(first); numbers 3; demand unlimited; play first=2"
  ),
  (
    "switchToLatest drops values before zip has demand.",
    "sequence | switchToLatest(first) | zip(first); numbers 2; demand unlimited; play first=2"
  ),
  (
    "combineLatest combines less if there is little demand.",
    "sequence | combineLatest(sequence) | limitRate; numbers 3; demand unlimited; play"
  ),
  (
    "The values that dropFirst drops count as demand, too.",
    "sequence | combineLatest(second) | drop | sample(sequence); numbers 2; demand unlimited; play"
  ),
  (
    "Groups take turns if there is little demand.",
    "first | merge(sequence) | groupBy | amb(first); numbers 5; demand unlimited; play"
  ),
  (
    "drop(untilOutputFrom:) requests no replacement for a dropped value.",
    "sequence | dropUntil(first) | bufferKeepFull; numbers 4; demand unlimited; play"
  ),
  (
    "merge takes one value of each upstream before sample has demand.",
    "sequence | merge(second) | sample(sequence); numbers 2; demand unlimited; play"
  ),
  (
    "prepend attaches its upstream when there is demand, so after the trigger.",
    "first | prepend(sequence) | sample(first); numbers 2; demand unlimited; play first=0"
  ),
  (
    "A sequence without elements completes before the other publisher has demand.",
    "second | amb(sequence) | amb(first); numbers 0; demand unlimited; play"
  ),
  (
    "share completes a subscriber that attaches after its upstream's completion.",
    "sequence | share | repeated; numbers 1; demand unlimited; play"
  ),
]
