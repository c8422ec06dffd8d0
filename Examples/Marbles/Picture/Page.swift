/// The page of all diagrams.
enum Page {
  struct Card {
    let diagram: Diagram
    let picture: Picture
    let summary: String?
  }

  static func html(_ families: [(name: String, cards: [Card])]) -> String {
    """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Weir in marbles</title>
    <style>\(Style.colours(":root"))\(style)\(Style.shapes)</style>
    <header>
      <h1>Weir in marbles</h1>
      <p>Every operator, source, subject and trait, run in virtual time and drawn from its events. Values fall through
      the code; demand and cancellations rise. Events in one column happen at the same time.</p>
      <ul class="legend">\(legend)</ul>
      <input type="search" placeholder="Find an operator" aria-label="Find an operator" autocomplete="off">
      <nav>\(families.map { "<a href=\"#\(slug($0.name))\">\(SVG.escaped($0.name))</a>" }.joined(separator: "\n"))</nav>
    </header>
    <main>
    \(families.map(section).joined())
    <p class="nothing" hidden>No diagram has such a name.</p>
    </main>
    <script>\(script)</script>
    </html>

    """
  }

  private static func section(_ family: (name: String, cards: [Card])) -> String {
    """
    <section id="\(slug(family.name))">
    <h2>\(SVG.escaped(family.name))</h2>
    <div class="grid">
    \(family.cards.map(figure).joined())</div>
    </section>

    """
  }

  private static func figure(_ card: Card) -> String {
    let slug = card.diagram.slug
    let summary = card.summary.map { "<p>\(SVG.escaped($0).code)</p>" } ?? ""
    return """
      <figure id="\(slug)"\(card.picture.width > 430 ? " class=\"wide\"" : "") data-name="\(SVG.escaped(card.diagram.name.lowercased()))">
      <figcaption><h3><a href="#\(slug)">\(SVG.escaped(card.diagram.name))</a></h3>\(summary)</figcaption>
      <div class="scroll" style="--natural: \(Int(card.picture.width.rounded(.up)))px">
      \(SVG.element(card.picture, id: slug))</div>
      </figure>

      """
  }

  private static func slug(_ name: String) -> String {
    "family-" + name.lowercased().split { !($0.isLetter || $0.isNumber) }.joined(separator: "-")
  }

  private static var legend: String {
    let signs: [(Picture.Kind, Double, String)] = [
      (.value("1", colour: 0), 26, "a value"), (.finish, 12, "the end"), (.failure, 20, "a failure"),
      (.subscription, 12, "a subscription"), (.demand("2"), 22, "demand"), (.cancellation, 16, "a cancellation"),
    ]
    return signs.map { kind, width, name in
      var picture = Picture(name: name, description: name)
      picture.width = width + 4
      picture.height = 28
      picture.shapes = [Picture.Shape(kind: kind, box: Box(x: 2, y: 1, width: width, height: 26))]
      return "<li>\(SVG.element(picture, id: "sign-\(slug(name))"))\(name)</li>"
    }.joined()
  }

  private static let style = """

    * { box-sizing: border-box; }
    html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
    body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto,
      "DejaVu Sans", sans-serif; }
    header, main { max-width: 1360px; margin: 0 auto; padding: 0 24px; }
    header { padding-top: 40px; }
    h1 { font-size: clamp(28px, 5vw, 40px); line-height: 1.15; letter-spacing: -.02em; margin: 0 0 8px; }
    header > p { max-width: 68ch; margin: 0 0 16px; color: var(--muted); }
    h2 { font-size: 22px; letter-spacing: -.01em; margin: 40px 0 16px; }
    h3 { font: 600 15px/1.4 \(Style.mono); margin: 0; overflow-wrap: anywhere; }
    h3 a { color: inherit; text-decoration: none; }
    h3 a:hover, h3 a:focus-visible { color: var(--accent); text-decoration: underline; }
    nav { display: flex; flex-wrap: wrap; gap: 6px; margin: 16px 0 0; }
    nav a { padding: 3px 10px; border: 1px solid var(--edge); border-radius: 99px; background: var(--card); color: var(--ink);
      font-size: 13px; text-decoration: none; }
    nav a:hover, nav a:focus-visible { border-color: var(--accent); color: var(--accent); }
    input { width: min(100%, 420px); padding: 10px 14px; border: 1px solid var(--edge); border-radius: 10px;
      background: var(--card); color: inherit; font: inherit; }
    input:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
    .legend { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 0 0 16px; padding: 0; list-style: none; font-size: 14px;
      color: var(--muted); }
    .legend li { display: flex; align-items: center; gap: 6px; }
    .legend .marbles .card { fill: none; }
    .grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 400px), 1fr)); gap: 16px;
      align-items: start; }
    figure { margin: 0; padding: 14px 6px 4px; border: 1px solid var(--edge); border-radius: 14px; background: var(--card);
      min-width: 0; scroll-margin-top: 16px; }
    figure:target { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
    figcaption { padding: 0 14px; }
    figcaption p { margin: 2px 0 0; font-size: 14px; line-height: 1.4; color: var(--muted); }
    figcaption code { font: 13px \(Style.mono); }
    .scroll { overflow-x: auto; }
    .scroll svg { display: block; max-width: 100%; min-width: calc(var(--natural) * .86); height: auto; }
    @media (min-width: 900px) { .wide { grid-column: span 2; } .grid { grid-auto-flow: dense; } }
    .nothing { color: var(--muted); padding: 24px 0; }
    [hidden] { display: none !important; }
    @media (max-width: 520px) { header, main { padding-left: 12px; padding-right: 12px; } header { padding-top: 24px; } }
    main { padding-bottom: 64px; }

    """

  private static let script = """

    const field = document.querySelector('input'), figures = [...document.querySelectorAll('figure')]
    field.addEventListener('input', () => {
      const wanted = field.value.trim().toLowerCase()
      for (const figure of figures) figure.hidden = !figure.dataset.name.includes(wanted)
      for (const section of document.querySelectorAll('section'))
        section.hidden = ![...section.querySelectorAll('figure')].some(figure => !figure.hidden)
      document.querySelector('.nothing').hidden = figures.some(figure => !figure.hidden)
    })

    """
}

extension String {
  /// The text with the parts between backticks as code.
  fileprivate var code: String {
    split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .map { $0.offset % 2 == 0 ? String($0.element) : "<code>\($0.element)</code>" }.joined()
  }
}
