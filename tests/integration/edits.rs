//! Pages before and after edits: small pictures of both side by side in `tests/golden`. Applying the same instruction a
//! second time changes nothing.

use render_core::Format;
use render_core::design::{Brand, FileKey, Logo, Page, Style, Template};
use render_core::edit::{self, Target};
use render_core::inspect::inspect;
use render_core::plan::specimens::specimen;
use render_core::raster::Pixmap;
use render_core::scene::Image;
use render_core::text::Fonts;

use crate::golden::{check, draw};

/// Edits: the style, the seed and the template of a page, and the instruction.
const EDITS: &[(&str, Style, u64, &str, &str)] = &[
    ("words", Style::MODERN, 7, "cover-type", "set the headline to “Sleep is a skill you can learn”"),
    (
        "long-words",
        Style::BOLD,
        1,
        "point-slide",
        "set the headline to “What nobody tells you about the \
      first hour of the day, and why it decides how the other fifteen will go”",
    ),
    ("line-break", Style::MINIMAL, 5, "cover-type", "set the headline to “Rest first.\\nThen work.”"),
    ("no-support", Style::ELEGANT, 2, "cover-type", "remove the supporting text"),
    ("kicker", Style::DARK, 3, "point-slide", "set the kicker to “Field notes”"),
    ("figure", Style::MODERN, 7, "fill-stat", "set the figure's value to “81”"),
    ("donut-figure", Style::PLAYFUL, 4, "donut", "set the figure's value to “25”"),
    ("bar", Style::CORPORATE, 6, "bar-rank", "highlight point 3"),
    ("fewer-points", Style::MINIMAL, 5, "list-grid", "REMOVE LAST POINT"),
    ("more-points", Style::DARK, 3, "list-numbered", "ADD POINT"),
    ("point-order", Style::PLAYFUL, 4, "tips-bento", "REVERSE POINTS"),
    ("smaller", Style::MODERN, 7, "point-slide", "set the headline size to 64"),
    ("larger", Style::MINIMAL, 5, "point-slide", "set the headline size to 150"),
    ("huge", Style::ELEGANT, 2, "cover-type", "set the headline size to 400"),
    ("small-points", Style::BOLD, 1, "checklist", "set the points size to 34"),
    ("large-support", Style::CREATIVE, 8, "cover-type", "set the supporting text size to 60"),
    ("heavier", Style::ELEGANT, 2, "point-slide", "set the headline weight to 700"),
    ("lighter", Style::MODERN, 7, "quote", "set the headline weight to 300"),
    ("face", Style::MODERN, 7, "cover-type", "set the headline face to “Newsreader”"),
    ("text-face", Style::DARK, 3, "point-slide", "set the text face to “Literata”"),
    ("centred", Style::MINIMAL, 5, "cover-type", "align the text to the centre"),
    ("right", Style::CORPORATE, 6, "point-slide", "align the text to the end"),
    ("to-the-top", Style::DARK, 3, "point-slide", "stand the text at the top"),
    ("to-the-foot", Style::MINIMAL, 5, "qa", "stand the text at the bottom"),
    ("half-way", Style::MINIMAL, 5, "qa", "stand the text in the middle"),
    ("navy", Style::MODERN, 7, "list-grid", "set the background colour to #0b1f3a"),
    ("yellow", Style::DARK, 3, "big-stat", "set the background colour to #ffd400"),
    ("grey", Style::MINIMAL, 5, "cover-type", "set the background colour to #8a8a8a"),
    ("green-accent", Style::MODERN, 7, "tips-bento", "set the accent colour to #1f9d55"),
    ("purple-accent", Style::DARK, 3, "kpi-bento", "set the accent colour to #7a3cff"),
    ("red-headline", Style::MINIMAL, 5, "point-slide", "set the colour of the headline to #d7263d"),
    ("one-point", Style::CORPORATE, 6, "list-grid", "set the colour of point 2 to #d7263d"),
    ("elegant", Style::MODERN, 7, "list-numbered", "set the style to elegant"),
    ("playful", Style::CORPORATE, 6, "tips-bento", "set the style to playful"),
    ("bold", Style::MINIMAL, 5, "quote", "set the style to bold"),
    ("scheme", Style::BOLD, 1, "cover-type", "set the colour scheme to 3"),
    ("closing-ground", Style::MODERN, 7, "point-slide", "set the ground to closing"),
    ("no-art", Style::MODERN, 7, "cover-type", "remove the art"),
    ("other-art", Style::MODERN, 7, "cover-type", "set the art to contours 2"),
    ("layout", Style::CORPORATE, 6, "list-grid", "set the layout to list-numbered"),
    ("no-photo", Style::MODERN, 7, "cover-split", "remove the photo"),
    ("dim-photo", Style::DARK, 3, "cover-split", "set the photo to filling, focused at 20 50, dimmed by 40"),
    ("space", Style::MINIMAL, 5, "checklist", "set the spacing to 150 percent"),
    ("emphasis", Style::BOLD, 1, "point-slide", "EMPHASISE FIRST WORD"),
    ("logo-end", Style::MODERN, 7, "list-grid", "set the logo to 200 percent at the end of the head"),
    ("logo-foot", Style::MINIMAL, 5, "cover-type", "set the logo to 150 percent at the start of the foot"),
    (
        "several",
        Style::CORPORATE,
        6,
        "quote",
        "set the style to dark; set the accent colour to #ff7a00; set \
      the headline size to 90; align the text to the centre",
    ),
];

/// Returns the names of the edits.
pub fn names() -> impl Iterator<Item = &'static str> {
    EDITS.iter().map(|(name, ..)| *name)
}

/// A disc that serves as a logo.
fn logo() -> Logo {
    let side = 120_i32;
    let inside = |x: i32, y: i32| (x - 60) * (x - 60) + (y - 60) * (y - 60) < 3_400;
    let px = |x, y| if inside(x, y) { [215, 38, 61, 255] } else { [0; 4] };
    let rgba: Vec<u8> = (0..side).flat_map(|y| (0..side).flat_map(move |x| px(x, y))).collect();
    let pixels = Image::new(120, 120, rgba).ok();
    Logo { key: FileKey([7; 32]), width: 120, height: 120, pixels }
}

/// Replaces words in capitals by clauses for this page.
fn clauses(said: &str, page: &Page) -> String {
    use render_core::design::SlotId;
    let mut heads: Vec<&str> = (0..).map_while(|n| page.text(SlotId::ItemHead(n))).collect();
    let points = |heads: &[&str]| {
        let quoted: Vec<String> = heads.iter().map(|h| format!("“{h}”")).collect();
        format!("set the points to {}", quoted.join(", "))
    };
    match said {
        "REMOVE LAST POINT" => points(&heads[..heads.len() - 1]),
        "ADD POINT" => points(&[heads, vec!["Say thanks"]].concat()),
        "REVERSE POINTS" => {
            heads.reverse();
            points(&heads)
        }
        "EMPHASISE FIRST WORD" => {
            let word = page.text(SlotId::Title).unwrap().split_whitespace().next().unwrap();
            format!("emphasise “{word}” in the headline")
        }
        other => other.to_owned(),
    }
}

fn beside(a: &Pixmap, b: &Pixmap) -> Pixmap {
    const GAP: u32 = 8;
    let (width, height) = (a.width + GAP + b.width, a.height.max(b.height));
    let mut data = vec![255; (3 * width * height) as usize];
    for (from, picture) in [(0, a), (a.width + GAP, b)] {
        for y in 0..picture.height {
            let row = (3 * picture.width) as usize;
            let at = (3 * (y * width + from)) as usize;
            data[at..at + row].copy_from_slice(&picture.data[y as usize * row..][..row]);
        }
    }
    Pixmap { width, height, data }
}

#[test]
fn edited_pages_look_as_they_did() {
    let fonts = Fonts::new();
    let format = Format::by_id("instagram_post").unwrap().id;
    let brand = Brand { name: "Acme".into(), logo: Some(logo()), ..Brand::default() };
    let mut pictures = Vec::new();
    let mut findings = Vec::new();
    for (name, style, seed, template, said) in EDITS {
        let mut page = specimen(Template::named(template), *style, format, *seed, &fonts).unwrap();
        if name.starts_with("logo") {
            page.logo = Some(logo());
            let slot = render_core::design::SlotId::Brand;
            let brand = render_core::design::Slot { id: slot, text: "Acme".into(), span: None, emphasis: Vec::new() };
            page.slots.insert(0, brand);
        }
        let brand = name.starts_with("logo").then_some(&brand);
        let target = Target::new(&page, 1, brand, &fonts);
        let clauses = clauses(said, &page);
        let proposal = match edit::propose_clauses(&clauses, false, std::slice::from_ref(&target), 0) {
            Ok(proposal) => proposal,
            Err(e) => {
                findings.push(format!("{name}: {e}"));
                continue;
            }
        };
        let [edited] = proposal.edited.as_slice() else {
            findings.push(format!("{name}: nothing changed; {:?}", proposal.notes));
            continue;
        };
        let quality = inspect(&edited.composed.scene, &edited.page, None);
        if !quality.passed {
            findings.push(format!("{name}: {quality:?}"));
        }
        // The second step applies what the first one showed, exactly once.
        let done = edit::execute(&proposal.instruction, std::slice::from_ref(&target), 0).unwrap();
        if done.first().map(|d| &d.page) != Some(&edited.page) {
            findings.push(format!("{name}: another page than the one shown"));
        }
        let after = Target::new(&edited.page, 2, brand, &fonts);
        match edit::execute(&proposal.instruction, std::slice::from_ref(&after), 0) {
            Ok(again) if again.is_empty() => {}
            other => findings.push(format!("{name}: not once: {} {other:.300?}", proposal.instruction)),
        }
        pictures.push((format!("edit-{name}"), beside(&draw(&page, &fonts), &draw(&edited.page, &fonts))));
    }
    assert!(findings.is_empty(), "{}", findings.join("\n"));
    check(&pictures);
}
