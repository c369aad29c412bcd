//! Prints which icon each line of a file selects, so that the vocabulary can be measured:
//!
//! ```text
//! icons WORDS.tsv            a line is `language<TAB>words<TAB>anything`; the icon is prepended to it
//! icons --decks ARTICLE.md … each item of the lists that an article's carousel shows, by list
//! ```
//!
//! A dash means no icon.

mod common;

use render_core::content::Language;
use render_core::design::{SlotId, Style};
use render_core::format::Format;
use render_core::icon::Icon;
use render_core::text::Fonts;

use common::Planned;

/// Number of slides in a deck.
const SLIDES: u32 = 7;

fn main() {
    common::start(|arguments| match arguments {
        [decks, files @ ..] if decks == "--decks" => files.iter().try_for_each(|file| deck(file)),
        [file] => words(file),
        _ => Err("icons WORDS.tsv | icons --decks ARTICLE.md …".to_owned()),
    });
}

fn name(icon: Option<Icon>) -> &'static str {
    icon.map_or("-", Icon::name)
}

#[allow(clippy::print_stdout, reason = "a command prints its findings")]
fn words(file: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    for line in text.lines() {
        let Some((code, rest)) = line.split_once('\t') else { continue };
        let language = Language::parse(code).map_err(|e| e.to_string())?;
        let words = rest.split('\t').next().unwrap_or_default();
        println!("{}\t{line}", name(Icon::by_meaning(words, &language)));
    }
    Ok(())
}

#[allow(clippy::print_stdout, reason = "a command prints its findings")]
fn deck(file: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let language = Language::detect(&text);
    let format = Format::by_id("instagram_carousel").ok_or("no such format")?.id;
    let style = Style::by_name("modern").ok_or("no such style")?;
    let planned = Planned { format, slides: SLIDES, style, seed: 3, written: &[] };
    for page in planned.pages(&text, &Fonts::new())? {
        let heads: Vec<&str> = (0..page.item_count() as u8).filter_map(|n| page.text(SlotId::ItemHead(n))).collect();
        if heads.is_empty() {
            continue;
        }
        let shown = page.items.iter().any(|item| item.icon.is_some());
        println!("= {file}\t{}\t{}", page.template.name(), if shown { "icons" } else { "no icons" });
        let chosen = Icon::for_items(&heads, &language);
        for (n, head) in heads.iter().enumerate() {
            let own = name(Icon::by_meaning(head, &language));
            let icon = name(chosen.as_ref().and_then(|icons| icons.get(n)).copied().flatten());
            println!("{icon}\t{own}\t{head}");
        }
    }
    Ok(())
}
