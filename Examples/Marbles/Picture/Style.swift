/// The colors and shapes of pictures and of their page.
enum Style {
  /// The colors, also for dark mode.
  static func colours(_ selector: String) -> String {
    """

    \(selector) {
      --page: #f6f7f9; --card: #ffffff; --edge: #e2e5ea; --ink: #1d2430; --muted: #667085; --strand: #98a2b3;
      --code: #eef1f6; --demand: #0a7f6b; --cancel: #c2570c; --failure: #d1293d; --accent: #3056d3;
      --none: #e4e7ec; --none-edge: #98a2b3;
      --f0: #d7e5ff; --e0: #3b6fd4; --f1: #ffe3c2; --e1: #c9761a; --f2: #d9f2d0; --e2: #4a9a34;
      --f3: #f6d9f2; --e3: #b04aa3; --f4: #fff2b3; --e4: #a98a05; --f5: #cdf1f4; --e5: #20899a;
    }
    @media (prefers-color-scheme: dark) {
      \(selector) {
        --page: #0f1319; --card: #171c24; --edge: #2a313d; --ink: #e8ecf3; --muted: #98a2b3; --strand: #667085;
        --code: #222936; --demand: #4fd1b5; --cancel: #fb9a4b; --failure: #ff6b78; --accent: #8eaaff;
        --none: #39414f; --none-edge: #98a2b3;
        --f0: #1f3a6d; --e0: #6c9bf5; --f1: #5c3a12; --e1: #eda64f; --f2: #25491b; --e2: #82cf6c;
        --f3: #55234e; --e3: #df86d3; --f4: #4d4208; --e4: #e0c341; --f5: #114850; --e5: #5cc6d6;
      }
    }

    """
  }

  static let mono = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"

  static let shapes = """

    .marbles .card { fill: var(--card); }
    .marbles text { font-family: \(mono); font-size: 12px; fill: var(--ink); white-space: pre; }
    .marbles .token { font-size: 13px; font-weight: 600; text-anchor: middle; }
    .marbles .label { fill: var(--muted); paint-order: stroke; stroke: var(--card); stroke-width: 4px; stroke-linejoin: round; }
    .marbles .amount { fill: var(--demand); font-weight: 600; }
    .marbles .all { font-size: 17px; }
    .marbles .source { font-weight: 600; }
    .marbles .code { fill: var(--code); stroke: var(--edge); }
    .marbles .strand { stroke: var(--strand); stroke-width: 1.5; fill: none; }
    .marbles .arrow { fill: var(--strand); }
    .marbles .value { fill: var(--none); stroke: var(--none-edge); stroke-width: 1.5; }
    .marbles .fall { stroke: var(--none-edge); stroke-width: 1.2; stroke-dasharray: 2 3; fill: none; opacity: .75; }
    .marbles .tip { fill: var(--none-edge); opacity: .75; }
    \((0..<6).map {
      """
      .marbles .value.c\($0) { fill: var(--f\($0)); stroke: var(--e\($0)); }
      .marbles .fall.c\($0) { stroke: var(--e\($0)); }
      .marbles .tip.c\($0) { fill: var(--e\($0)); }
      """
    }.joined(separator: "\n"))
    .marbles .finish { stroke: var(--ink); stroke-width: 2.5; stroke-linecap: round; }
    .marbles .failure { stroke: var(--failure); stroke-width: 2.5; stroke-linecap: round; fill: none; }
    .marbles .subscription { fill: var(--card); stroke: var(--strand); stroke-width: 1.8; }
    .marbles .cancel { stroke: var(--cancel); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; fill: none; }
    .marbles .demand { stroke: var(--demand); stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; fill: none; }

    """
}
