//! Prints the words of the carousels of articles, page by page, for editorial review:
//!
//! ```text
//! words instagram_carousel 7 article.md other.md …
//! ```
//!
//! Each line is a slot of a page: its name and its text. The template's name is followed by the page's picture. Nothing
//! is drawn.

mod common;

use std::path::Path;

use render_core::design::{Page, SlotId, Style};
use render_core::format::{Format, FormatId};
use render_core::text::Fonts;

use common::Planned;

fn main() {
    common::start(run);
}

#[allow(clippy::print_stdout, reason = "a command prints its result")]
fn run(arguments: &[String]) -> Result<(), String> {
    let [format, slides, files @ ..] = arguments else {
        return Err("words FORMAT SLIDES FILE…".to_owned());
    };
    let format = Format::by_id(format).ok_or("no such format")?.id;
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

/// Returns the words of each page.
fn words(text: &str, format: FormatId, slides: u32, fonts: &Fonts) -> Result<Vec<String>, String> {
    let style = Style::by_name("modern").ok_or("no such style")?;
    let pages = Planned { format, slides, style, seed: 3, written: &[] }.pages(text, fonts)?;
    let page = |(number, page): (usize, &Page)| {
        let slots = page.slots.iter().filter(|slot| slot.id != SlotId::Kicker || number == 0);
        let lines = slots.map(|slot| format!("   {}: {}", slot.id, slot.text.replace('\n', " / ")));
        let picture = page.picture.as_deref().unwrap_or("");
        format!("-- {} {} {picture}\n{}", number + 1, page.template.name(), lines.collect::<Vec<_>>().join("\n"))
    };
    Ok(pages.iter().enumerate().map(page).collect())
}
