//! Prints what the carousels of articles say, page by page, to be read as an editor reads them:
//!
//! ```text
//! words instagram_carousel 7 article.md other.md …
//! ```
//!
//! Each line is a slot of a page: its name and its text. Nothing is drawn.

use std::path::Path;

use render_core::content::{Language, read_text};
use render_core::design::{Page, SlotId, Style};
use render_core::format::Format;
use render_core::outline::Locale;
use render_core::plan::{PlanRequest, plan};
use render_core::text::Fonts;

#[allow(clippy::print_stderr, reason = "a command says what is wrong")]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Err(wrong) = run(&arguments) {
        eprintln!("{wrong}");
        std::process::exit(1);
    }
}

#[allow(clippy::print_stdout, reason = "a command prints its result")]
fn run(arguments: &[String]) -> Result<(), String> {
    let [format, slides, files @ ..] = arguments else {
        return Err("words FORMAT SLIDES FILE…".to_owned());
    };
    let format = Format::by_id(format).ok_or("no such format")?;
    let slides: u32 = slides.parse().map_err(|_| "no count of slides")?;
    let fonts = Fonts::new();
    for file in files {
        println!("##### {}", Path::new(file).file_stem().unwrap_or_default().to_string_lossy());
        let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
        match words(&text, format, slides, &fonts) {
            Ok(pages) => pages.iter().for_each(|page| println!("{page}")),
            Err(wrong) => println!("{wrong}"),
        }
    }
    Ok(())
}

/// What each page says.
fn words(text: &str, format: &'static Format, slides: u32, fonts: &Fonts) -> Result<Vec<String>, String> {
    let document = read_text(text).map_err(|e| e.to_string())?;
    let language = Language::detect(text);
    let request = PlanRequest {
        document: &document,
        locale: Locale { direction: language.direction(), language },
        formats: vec![(format.id, format.carousel.then_some(slides))],
        style: Style::by_name("modern").ok_or("no such style")?,
        seed: 3,
        written: &[],
        photo: None,
        pictures: &[],
        brand: None,
    };
    let planned = plan(&request, fonts).map_err(|e| e.to_string())?;
    let page = |(number, page): (usize, &Page)| {
        let slots = page.slots.iter().filter(|slot| slot.id != SlotId::Kicker || number == 0);
        let lines = slots.map(|slot| format!("   {}: {}", slot.id, slot.text.replace('\n', " / ")));
        format!("-- {} {}\n{}", number + 1, page.template.name(), lines.collect::<Vec<_>>().join("\n"))
    };
    Ok(planned.pages.iter().enumerate().map(page).collect())
}
