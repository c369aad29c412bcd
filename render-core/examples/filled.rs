//! Measures how texts fill the pages of carousels: for each style, the mean of the largest empty rectangle, how many
//! pages exceed the style's limit, and how many slides have the same layout as the previous one.
//!
//! ```text
//! filled FOLDER ARTICLE.md … styles=modern,dark format=instagram_carousel slides=7 seed=3 worst=5
//! ```
//!
//! FOLDER holds the templates, so that they can be tried without a build. `worst` prints the emptiest templates.

mod common;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use render_core::compose::compose;
use render_core::design::{Style, Theme};
use render_core::format::Format;
use render_core::inspect::{emptiness, sameness};
use render_core::text::Fonts;

use common::{Planned, files};

fn main() {
    common::start(run);
}

/// Measurements of the pages of a style or a template.
#[derive(Default)]
struct Tally {
    pages: usize,
    emptiness: f32,
    empty: usize,
    seams: usize,
    alike: usize,
}

#[allow(clippy::print_stdout, reason = "a command prints its measurements")]
fn run(arguments: &[String]) -> Result<(), String> {
    let [folder, rest @ ..] = arguments else { return Err("filled FOLDER ARTICLE … key=value …".to_owned()) };
    let options: HashMap<&str, &str> = rest.iter().filter_map(|o| o.split_once('=')).collect();
    let get = |name: &str, default: &'static str| options.get(name).copied().unwrap_or(default).to_owned();
    let folder = Path::new(folder);
    render_core::design::template::load(files(&folder.join("parts"))?, files(folder)?)?;
    let fonts = Fonts::new();
    let asked = get("styles", "all");
    let styles: Vec<Style> =
        Style::all().filter(|s| asked == "all" || asked.split(',').any(|name| name == s.name())).collect();
    let format = Format::by_id(&get("format", "instagram_carousel")).ok_or("no such format")?.id;
    let slides: u32 = get("slides", "7").parse().map_err(|_| "no count")?;
    let seed: u64 = get("seed", "3").parse().map_err(|_| "no seed")?;
    let mut templates: BTreeMap<String, Tally> = BTreeMap::new();
    for style in styles {
        let mut all = Tally::default();
        for file in rest.iter().filter(|a| !a.contains('=')) {
            let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
            let planned = Planned { format, slides, style, seed, written: &[] };
            let pages = match planned.pages(&text, &fonts) {
                Ok(pages) => pages,
                Err(wrong) => {
                    println!("{file}: {wrong}");
                    continue;
                }
            };
            let mut before = None;
            for page in &pages {
                let scene = compose(page, &fonts).scene;
                let share = emptiness(&scene);
                let empty = usize::from(share > Theme::of(style).emptiness);
                let own = templates.entry(page.template.name().to_owned()).or_default();
                for tally in [&mut all, own] {
                    tally.pages += 1;
                    tally.emptiness += share;
                    tally.empty += empty;
                }
                if let Some(before) = &before {
                    all.seams += 1;
                    all.alike += usize::from(sameness(&scene, before) > 0.6);
                }
                before = Some(scene);
            }
        }
        let mean = all.emptiness / all.pages.max(1) as f32;
        println!(
            "{:10} mean {:.3}, empty {} of {} pages, alike {} of {} slides",
            style.name(),
            mean,
            all.empty,
            all.pages,
            all.alike,
            all.seams
        );
    }
    let mut worst: Vec<(String, Tally)> = templates.into_iter().collect();
    worst.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.empty));
    for (name, tally) in worst.iter().take(get("worst", "5").parse().map_err(|_| "no number")?) {
        println!(
            "{name:16} mean {:.3}, empty {} of {}",
            tally.emptiness / tally.pages as f32,
            tally.empty,
            tally.pages
        );
    }
    Ok(())
}
