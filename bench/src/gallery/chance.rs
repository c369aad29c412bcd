//! Random content and trees: texts of any length and structure in several scripts, and pages of any elements, in any
//! style and format. No resulting page may fail a hard measure. Every content must produce pages; a tree may be
//! refused, with faults that give the reason.

use anyhow::{Result, anyhow};
use render_core::content::read_text;
use render_core::design::Style;
use render_core::format::Format;
use render_core::inspect::inspect;
use render_core::leaf::{self, Written};
use render_core::random::Chance;

use super::{Studio, misses};

/// Words of several languages, including long ones.
const WORDS: [&[&str]; 6] = [
    &[
        "water",
        "a",
        "garden",
        "the",
        "roots",
        "before",
        "morning",
        "of",
        "responsibility",
        "light",
        "and",
        "slow",
        "team",
    ],
    &["Donaudampfschifffahrt", "der", "Garten", "Verantwortungsbewusstsein", "und", "Wasser", "früh", "die", "Ruhe"],
    &["вода", "сад", "рано", "и", "корни", "ответственность", "утром", "не", "команда", "тишина"],
    &["ماء", "حديقة", "في", "الصباح", "الجذور", "و", "هدوء", "مسؤولية", "قبل", "النوم"],
    &["眠り", "を", "深く", "する", "習慣", "朝", "の", "水", "静か", "な", "庭"],
    &["पानी", "बगीचा", "सुबह", "जड़ें", "और", "नींद", "शांति", "से", "पहले"],
];

/// Designs and measures `count` random contents.
pub(super) fn measure(studio: &mut Studio<'_>, styles: &[Style], count: u32) -> Result<()> {
    let mut chance = Chance::new(studio.seed);
    for _ in 0..count {
        let text = content(&mut chance);
        let style = styles[chance.below(styles.len())];
        let format = &Format::all()[chance.below(Format::all().len())];
        let slides = format.slides.map(|s| s.min + chance.below((s.max - s.min + 1) as usize) as u32);
        let Ok(document) = read_text(&text) else { continue };
        let seed = chance.number() >> 11;
        let pages = studio.design(&document, style, format, slides, seed);
        studio.measure(&pages)?;
    }
    Ok(())
}

/// Sets and measures `count` random trees. Returns how many were refused because they don't fit, and how many because a
/// rendered text fails a hard measure.
pub(super) fn trees(studio: &mut Studio<'_>, styles: &[Style], count: u32) -> Result<[usize; 2]> {
    let mut chance = Chance::new(studio.seed);
    let [mut unfit, mut unread] = [0; 2];
    for _ in 0..count {
        let seed = chance.number() >> 11;
        let text = leaf::random::random(seed);
        let format = &Format::all()[chance.below(Format::all().len())];
        let style = styles[chance.below(styles.len())];
        let fonts = studio.renderer.fonts();
        let written =
            Written { text: &text, format, style, brand: None, language: None, photos: Vec::new(), seed, fonts };
        let Ok(leaves) = leaf::leaves(written) else {
            unfit += 1;
            continue;
        };
        let broken = leaf::misses(&leaves, fonts, |scene| studio.renderer.backdrop(scene))?;
        if !broken.is_empty() {
            unread += 1;
            continue;
        }
        for page in &leaves {
            let composed = page.compose(fonts).map_err(|faults| anyhow!("a tree that was set before: {faults:?}"))?;
            let quality = inspect(&composed.scene, page, Some(&studio.renderer.backdrop(&composed.scene)?));
            studio.pages += 1;
            studio.breaks += usize::from(!quality.passed);
            if !quality.passed {
                println!("tree {seed} in {} {}: {:?}", style.name(), format.id, misses(&quality));
            }
        }
    }
    Ok([unfit, unread])
}

fn content(chance: &mut Chance) -> String {
    let words = WORDS[chance.below(WORDS.len())];
    let title = phrase(chance, words, 1, 14);
    let mut text = format!("# {title}\n\n");
    for _ in 0..1 + chance.below(6) {
        text += &block(chance, words);
        text.push('\n');
    }
    text
}

fn phrase(chance: &mut Chance, words: &[&str], least: usize, most: usize) -> String {
    let count = least + chance.below(most - least + 1);
    let all: Vec<&str> = (0..count).map(|_| chance.of(words)).collect();
    all.join(if words[0] == "眠り" { "" } else { " " })
}

fn sentence(chance: &mut Chance, words: &[&str]) -> String {
    format!("{}.", phrase(chance, words, 3, 26))
}

fn block(chance: &mut Chance, words: &[&str]) -> String {
    let lines = 2 + chance.below(8);
    let mut out = String::new();
    match chance.below(9) {
        0 | 1 => {
            out += &format!("## {}\n\n", phrase(chance, words, 1, 9));
            for _ in 0..1 + chance.below(4) {
                out += &sentence(chance, words);
                out.push(' ');
            }
            out.push('\n');
        }
        2 => (0..lines).for_each(|_| out += &format!("- {}\n", phrase(chance, words, 1, 12))),
        3 => (0..lines).for_each(|n| out += &format!("{}. {}\n", n + 1, sentence(chance, words))),
        4 => out += &format!("> {}\n\n— {}\n", sentence(chance, words), phrase(chance, words, 2, 3)),
        5 => {
            let number = chance.below(100_000);
            out += &format!("{} {number} % {}\n", phrase(chance, words, 2, 5), sentence(chance, words));
        }
        6 => {
            out += "| | A | B |\n|---|---|---|\n";
            for _ in 0..lines {
                let head = phrase(chance, words, 1, 3);
                out += &format!("| {head} | {} | {} |\n", chance.below(9_000), chance.below(9_000));
            }
        }
        7 => (0..lines).for_each(|n| out += &format!("- {}: {}\n", 1990 + 3 * n, phrase(chance, words, 2, 9))),
        _ => (0..lines).for_each(|_| out += &format!("- [ ] {}\n", phrase(chance, words, 2, 7))),
    }
    out
}
