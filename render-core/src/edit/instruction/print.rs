//! Prints ops as clauses.

use crate::design::stored::family_name;
use crate::design::{Crop, LogoPlace, SlotId, Stand, Which};
use crate::text::{Align, Family};

use super::super::{Elements, Ground, ItemWords, Op, Reshape};
use super::{Instruction, Reach};

/// Prints an instruction.
pub(super) fn instruction(of: &Instruction, was: impl Fn(&Op) -> Option<String>) -> String {
    let reach = match &of.reach {
        Reach::One(version) => format!("On version {version}"),
        Reach::All(versions) => {
            let versions: Vec<String> = versions.iter().map(u32::to_string).collect();
            format!("On all slides, versions {}", versions.join(", "))
        }
    };
    let said = |op: &Op| match was(op) {
        Some(was) => format!("{} (was {was})", clause(op)),
        None => clause(op),
    };
    let clauses: Vec<String> = of.ops.iter().map(said).collect();
    format!("{reach}: {}", clauses.join("; "))
}

/// Quotes and escapes a text.
pub(in super::super) fn quoted(text: &str) -> String {
    let mut out = String::from("“");
    for c in text.chars() {
        match c {
            '“' | '”' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            other => out.push(other),
        }
    }
    out.push('”');
    out
}

/// Prints an op as a clause.
pub(in super::super) fn clause(op: &Op) -> String {
    let list = |words: &[String]| words.iter().map(|w| quoted(w)).collect::<Vec<_>>().join(", ");
    match op {
        Op::Words { slot, to } if to.is_empty() => format!("remove {}", named(Which::One(*slot))),
        Op::Words { slot, to } => format!("set {} to {}", named(Which::One(*slot)), quoted(to)),
        Op::Replace { from, to } => format!("replace {} by {}", quoted(from), quoted(to)),
        Op::Items(items) if items.is_empty() => "set the points to none".into(),
        Op::Items(items) => {
            let item = |i: &ItemWords| match &i.body {
                Some(body) => format!("{} with {}", quoted(&i.head), quoted(body)),
                None => quoted(&i.head),
            };
            format!("set the points to {}", items.iter().map(item).collect::<Vec<_>>().join(", "))
        }
        Op::Stress { slot, words } if words.is_empty() => format!("emphasise nothing in {}", named(Which::One(*slot))),
        Op::Stress { slot, words } => format!("emphasise {} in {}", list(words), named(Which::One(*slot))),
        Op::Size { which: Which::All(part), to } => format!("set the {} size to {to}", part.name()),
        Op::Size { which, to } => format!("set the size of {} to {to}", named(*which)),
        Op::Weight { part, to } => format!("set the {} weight to {to}", part.name()),
        Op::Face { display: true, to } => format!("set the headline face to {}", quoted(&face(*to))),
        Op::Face { display: false, to } => format!("set the text face to {}", quoted(&face(*to))),
        Op::Align(to) => format!("align the text to the {}", align(*to)),
        Op::Stand(Stand::Middle) => "stand the text in the middle".into(),
        Op::Stand(to) => format!("stand the text at the {}", to.name()),
        Op::Colour { hue, to } => format!("set the {} colour to {}", hue.name(), to.to_hex()),
        Op::Ink { which, to } => format!("set the colour of {} to {}", named(*which), to.to_hex()),
        Op::Style(style) => format!("set the style to {}", style.name()),
        Op::Scheme(n) => format!("set the colour scheme to {n}"),
        Op::Ground(ground) => format!("set the ground to {}", ground_name(*ground)),
        Op::Art { recipe: None, .. } => "remove the art".into(),
        Op::Art { recipe: Some(recipe), variant } => format!("set the art to {} {variant}", recipe.name()),
        Op::Icons(icons) => {
            let names: Vec<&str> = icons.iter().map(|i| i.map_or("none", |icon| icon.name())).collect();
            format!("set the icons to {}", names.join(", "))
        }
        Op::Picture { url, key: None } => format!("show the photo {}", quoted(url)),
        Op::Picture { url, key: Some(key) } => format!("show the photo {} with sha256 {key}", quoted(url)),
        Op::Photo { shown: false, .. } => "remove the photo".into(),
        Op::Photo { crop, focus: (x, y), dim, .. } => {
            let crop = match crop {
                Crop::Cover => "filling",
                Crop::Whole => "whole",
            };
            format!("set the photo to {crop}, focused at {x} {y}, dimmed by {dim}")
        }
        Op::Logo { shown: false, .. } => "remove the logo".into(),
        Op::Logo { place, percent, .. } => format!("set the logo to {percent} percent at the {}", place_name(*place)),
        Op::Layout(template) => format!("set the layout to {}", template.name()),
        Op::Space(percent) => format!("set the spacing to {percent} percent"),
        Op::Highlight(Some(n)) => format!("highlight point {}", u32::from(*n) + 1),
        Op::Highlight(None) => "highlight no point".into(),
        Op::Counter(true) => "show the page number".into(),
        Op::Counter(false) => "hide the page number".into(),
        Op::Drawing(name) => format!("show the drawing {}", quoted(name)),
        Op::Element(change) => reshape(change),
        Op::Page(text) => format!("compose the page as {}", quoted(text)),
    }
}

/// Prints a change to elements.
fn reshape(change: &Reshape) -> String {
    let which = |of: &Elements| match of {
        Elements::One(id) => format!("element {}", quoted(id)),
        Elements::Every(name) => format!("every {name}"),
    };
    match change {
        Reshape::Give { to, name, value } => format!("give {} the {name} {}", which(to), quoted(value)),
        Reshape::Take(of) => format!("take away {}", which(of)),
        Reshape::Put { element, place, of } => {
            format!("put {} {} element {}", quoted(element), place.name(), quoted(of))
        }
        Reshape::Mark { words, how, of } if words.is_empty() => {
            format!("mark all of element {} as {}", quoted(of), how.name())
        }
        Reshape::Mark { words, how, of } => {
            format!("mark {} in element {} as {}", quoted(words), quoted(of), how.name())
        }
        Reshape::Move { element, place, of } => {
            format!("move element {} {} element {}", quoted(element), place.name(), quoted(of))
        }
    }
}

/// Returns a family's display name, unless another family has that name.
fn face(family: Family) -> String {
    match family {
        Family::Added(name) if Family::from_name(name).is_none() => name.to_owned(),
        other => family_name(other),
    }
}

/// Returns the name of a text with its article, if it takes one: "the headline", but "point 2".
fn named(which: Which) -> String {
    let counted = |slot: SlotId| {
        matches!(
            slot,
            SlotId::ItemHead(_) | SlotId::ItemBody(_) | SlotId::ItemLabel(_) | SlotId::Cell(..) | SlotId::Group(_)
        )
    };
    match which {
        Which::One(slot) if counted(slot) => which.to_string(),
        _ => format!("the {which}"),
    }
}

pub(super) fn align(to: Align) -> &'static str {
    match to {
        Align::Start => "start",
        Align::Center => "centre",
        Align::End => "end",
    }
}

pub(super) fn ground_name(ground: Ground) -> &'static str {
    match ground {
        Ground::Own => "own",
        Ground::Accent => "accent",
        Ground::Close => "closing",
    }
}

pub(super) fn place_name(place: LogoPlace) -> &'static str {
    match place {
        LogoPlace::HeadStart => "start of the head",
        LogoPlace::HeadEnd => "end of the head",
        LogoPlace::FootStart => "start of the foot",
        LogoPlace::FootEnd => "end of the foot",
    }
}
