//! Suggests prompts that suit a page.

use crate::design::{Part, SlotId};

use std::collections::HashSet;

use super::super::{Hue, Target};
use super::clause::{Kind, tokens};
use super::colour::is_dark;
use super::lexicon;
use super::sense::{Sense, W};

/// Returns prompts about the subjects of a prompt. The caller must try whether the page understands them and changes.
pub(in super::super) fn near(prompt: &str) -> Vec<String> {
    let pieces = lexicon::cut(prompt);
    let toks = tokens(&pieces, &lexicon::senses(&pieces, &HashSet::new(), None));
    let less = toks.iter().any(|tok| [W::Smaller, W::Less, W::Too, W::Calm].iter().any(|word| tok.is(*word)));
    let sized = |thing: &str| {
        let (first, second) = if less { ("smaller", "bigger") } else { ("bigger", "smaller") };
        vec![format!("make the {thing} {first}"), format!("make the {thing} {second}")]
    };
    // A colour that only identifies a thing isn't offered as a new colour.
    let paints = toks.iter().any(|tok| tok.is(W::Set) || tok.is(W::Use)) && !toks.iter().any(|tok| tok.is(W::Remove));
    let last = toks.iter().rposition(|tok| matches!(tok.kind, Kind::Sense(Sense::Colour(_)))).filter(|_| paints);
    let mut out: Vec<String> = Vec::new();
    for (at, tok) in toks.iter().enumerate().filter(|(_, tok)| !tok.slip) {
        let about: Vec<String> = match &tok.kind {
            Kind::Sense(Sense::Part(part)) => {
                let name = part.name();
                let mut about = sized(name);
                about.push(format!("remove the {name}"));
                about
            }
            Kind::Sense(Sense::Colour(colour)) if last == Some(at) => {
                let hex = colour.to_hex();
                ["background", "accent", "headline"].map(|thing| format!("make the {thing} {hex}")).into()
            }
            Kind::Items(_) => vec!["make the points bigger".into(), "reverse the points".into()],
            Kind::Sense(Sense::Word(word)) => about_word(*word).iter().map(|prompt| (*prompt).to_owned()).collect(),
            _ => Vec::new(),
        };
        out.extend(about);
    }
    let mut seen = HashSet::new();
    out.retain(|prompt| seen.insert(prompt.clone()));
    out
}

fn about_word(word: W) -> &'static [&'static str] {
    match word {
        W::Face => &["use a serif headline", "use a sans serif headline", "use another font for the headline"],
        W::Icon => &["use other icons", "remove the icons"],
        W::Leading => &["more letter spacing in the headline", "add more space", "use another font for the headline"],
        W::Space | W::Busy | W::Calm => &["add more space", "use less space", "use the minimal style"],
        W::Emphasis | W::Highlight | W::Underline => &["remove the highlighting", "make the headline bold"],
        W::Art | W::Photo => {
            &["use another illustration", "make the picture bigger", "remove the art", "use other art"]
        }
        W::Rotate => &["tilt the picture", "tilt the headline", "use another layout"],
        W::Shadow | W::Corner => &["rounded corners", "square corners", "add shadows to the cards", "no shadows"],
        W::Margin | W::Line => &["add a border to the cards", "put a line under the headline", "add more space"],
        W::Chart => &["use another chart", "highlight the second bar", "use another layout"],
        W::Move => &["move the text to the bottom", "centre the text", "use another layout"],
        W::Text => &["make the text bigger", "make the text smaller", "centre the text"],
        W::Item | W::Card | W::Bar => &["make the points bigger", "reverse the points"],
        W::Background | W::Palette | W::Colour => &["use other colours", "make the background white"],
        W::Align | W::Centre | W::Left | W::Right => &["centre the text", "align the text left", "use another layout"],
        W::Bold | W::Bolder => &["make the headline bold", "make the text bold"],
        _ => &[],
    }
}

/// Returns prompts that this page understands, about parts that it has, the most useful first.
pub(super) fn of(target: &Target<'_>) -> Vec<String> {
    let page = target.page;
    let mut out: Vec<String> = Vec::new();
    let items = page.item_count();
    if target.has(Part::Figure) {
        out.push("make the number bigger".into());
    } else if page.items.iter().any(|i| !i.numbers.is_empty()) && items > 1 {
        out.push("highlight the second bar".into());
    } else if items > 2 {
        out.push("make the points bigger".into());
    } else if target.text(SlotId::Cta).is_some() {
        out.push("change the button to “Sign up”".into());
    } else if target.has(Part::Headline) {
        out.push("make the headline bigger".into());
    }
    let ground =
        if is_dark(target.colour(Hue::Background)) { "make the background cream" } else { "make the background navy" };
    out.push(ground.into());
    out.push(if page.slide.is_some() { "use other colours on all slides".into() } else { "use other colours".into() });
    out.push("use another layout".into());
    out.push("use another style".into());
    out
}
