//! Describes what changed for the user.

use crate::design::{Page, SlotId, Stand, Which};
use crate::scene::Scene;

use super::super::target::sizes;
use super::super::{Ground, Op, Target};
use super::Change;
use super::look::name;
use super::words::heads;
use super::{reshaped, rewritten};

/// The most characters of an old value that an instruction prints in brackets.
const SHORT: usize = 32;

/// Returns what the ops changed.
pub(super) fn changes(ops: &[Op], target: &Target<'_>, page: &Page, scene: &Scene) -> Vec<Change> {
    let all = ops.iter().flat_map(|op| of(op, target, page, scene));
    all.filter(|c| c.from != c.to).collect()
}

/// Returns the value before an op, or `None` if it is empty, long or not a single value.
pub(in super::super) fn was(op: &Op, target: &Target<'_>) -> Option<String> {
    let [change] = <[Change; 1]>::try_from(of(op, target, target.page, &target.scene)).ok()?;
    let short = change.from.chars().count() <= SHORT
        && !matches!(op, Op::Words { .. } | Op::Items(_) | Op::Stress { .. } | Op::Element(_));
    (short && !change.from.is_empty()).then_some(change.from)
}

fn of(op: &Op, target: &Target<'_>, page: &Page, scene: &Scene) -> Vec<Change> {
    let before = target.page;
    let one = |what: &str, from: String, to: String| vec![Change { what: what.to_owned(), from, to }];
    let yes = |shown: bool| if shown { "shown" } else { "hidden" }.to_owned();
    match op {
        Op::Words { slot, .. } => one(
            &Which::One(*slot).to_string(),
            before.text(*slot).unwrap_or_default().to_owned(),
            page.text(*slot).unwrap_or_default().to_owned(),
        ),
        Op::Replace { .. } => {
            let changed = |s: &crate::design::Slot| {
                let from = before.text(s.id)?;
                (from != s.text).then(|| one(&Which::One(s.id).to_string(), from.to_owned(), s.text.clone()))
            };
            page.slots.iter().filter_map(changed).flatten().collect()
        }
        Op::Items(_) => one("points", heads(before).join(" · "), heads(page).join(" · ")),
        Op::Stress { slot, .. } => {
            let what = format!("emphasis in the {}", Which::One(*slot));
            one(&what, stressed(before, *slot), stressed(page, *slot))
        }
        Op::Size { which, .. } => {
            let size = |scene: &Scene| {
                sizes(scene, *which).max_by(f32::total_cmp).map_or_else(String::new, |s| format!("{s:.0}"))
            };
            one(&format!("{which} size"), size(&target.scene), size(scene))
        }
        Op::Weight { part, to } => {
            let from = target.weight(*part).map_or_else(String::new, |w| w.to_string());
            one(&format!("{} weight", part.name()), from, to.to_string())
        }
        Op::Face { display, to } => {
            let (what, from) =
                if *display { ("headline face", before.faces.display) } else { ("text face", before.faces.body) };
            one(what, from.name().to_owned(), to.name().to_owned())
        }
        Op::Align(_) => {
            let align = |p: &Page| {
                let named = p.adjust.align.map(Op::Align);
                named.map_or_else(|| "start".to_owned(), |op| clause_end(&op))
            };
            one("alignment", align(before), align(page))
        }
        Op::Stand(_) => {
            let stand = |p: &Page| p.adjust.stand.map_or("as the layout has it", Stand::name).to_owned();
            one("place of the text", stand(before), stand(page))
        }
        Op::Colour { hue, to } => one(&format!("{} colour", hue.name()), target.colour(*hue).to_hex(), to.to_hex()),
        Op::Ink { which, to } => {
            let from = target.ink(*which).map_or_else(String::new, |c| c.to_hex());
            one(&format!("{which} colour"), from, to.to_hex())
        }
        Op::Style(style) => one("style", before.style.name().to_owned(), style.name().to_owned()),
        Op::Scheme(_) => one("colours", colours(before), colours(page)),
        Op::Ground(_) => {
            let ground = |p: &Page| {
                let name = match Ground::of(p.background) {
                    Ground::Own => "own",
                    Ground::Accent => "accent",
                    Ground::Close => "closing",
                };
                format!("{name} ({})", p.palette.bg.to_hex())
            };
            one("ground", ground(before), ground(page))
        }
        Op::Art { .. } | Op::Icons(_) | Op::Picture { .. } | Op::Photo { .. } | Op::Logo { .. } => {
            shown(op, before, page)
        }
        Op::Layout(_) => one("layout", name(before.template), name(page.template)),
        Op::Space(_) => {
            one("spacing", format!("{} percent", before.adjust.space), format!("{} percent", page.adjust.space))
        }
        Op::Highlight(_) => highlight(op, before, page),
        Op::Counter(_) => one("page number", yes(!before.adjust.unnumbered), yes(!page.adjust.unnumbered)),
        Op::Drawing(_) => one("drawing", drawing(before), drawing(page)),
        Op::Page(_) => rewritten::changes(before, page),
        Op::Element(change) => reshaped::changes(change, before, page),
    }
}

/// Returns the change of the highlighted point.
fn highlight(op: &Op, before: &Page, page: &Page) -> Vec<Change> {
    let one = |what: &str, from: String, to: String| vec![Change { what: what.to_owned(), from, to }];
    let point = |p: &Page| p.adjust.highlight.map_or_else(|| "as designed".to_owned(), |n| format!("point {}", n + 1));
    let (from, to) = (point(before), point(page));
    let inked = from == to && before.adjust.inks != page.adjust.inks;
    one("highlight", from, if inked { super::super::instruction::clause(op) } else { to })
}

/// Returns what an op about pictures changed.
fn shown(op: &Op, before: &Page, page: &Page) -> Vec<Change> {
    let one = |what: &str, from: String, to: String| vec![Change { what: what.to_owned(), from, to }];
    match op {
        Op::Art { .. } => {
            let art = |p: &Page| p.art.map_or_else(|| "none".to_owned(), |a| a.recipe.name().to_owned());
            let (from, to) = (art(before), art(page));
            let redrawn = from == to && before.art != page.art;
            one("art", from, if redrawn { format!("{to}, drawn anew") } else { to })
        }
        Op::Icons(_) => {
            let icons = |p: &Page| {
                let names = p.items.iter().map(|i| i.icon.map_or("none", |icon| icon.name()));
                names.collect::<Vec<_>>().join(", ")
            };
            one("icons", icons(before), icons(page))
        }
        Op::Picture { url, .. } => {
            let shown = |p: &Page| p.template.shows_photo() && p.photo.is_some();
            let key = |p: &Page| p.photo.as_ref().filter(|_| shown(p)).map(|photo| photo.key.clone());
            if key(before) == key(page) {
                return Vec::new();
            }
            one("photo", if shown(before) { "the one so far" } else { "none" }.to_owned(), url.clone())
        }
        Op::Photo { .. } => {
            let photo = |p: &Page| match (&p.photo, p.template.shows_photo()) {
                (Some(photo), true) => format!(
                    "{}, focused at {:.0} {:.0}, dimmed by {}",
                    photo.crop.name(),
                    100.0 * photo.focus.x,
                    100.0 * photo.focus.y,
                    p.adjust.dim
                ),
                _ => "none".to_owned(),
            };
            one("photo", photo(before), photo(page))
        }
        Op::Logo { .. } => {
            let logo = |p: &Page| {
                let look = p.adjust.logo;
                if look.shown { format!("{} percent, {}", look.percent, look.place.name()) } else { "none".to_owned() }
            };
            one("logo", logo(before), logo(page))
        }
        _ => Vec::new(),
    }
}

/// Returns the drawing of a page. On a page with its own elements it is the first picture of its text.
fn drawing(page: &Page) -> String {
    let written = || {
        let text = page.authored.as_deref()?;
        let (_, rest) = text.split_once("<picture ")?;
        let (_, name) = rest.split_once("name=\"").or_else(|| rest.split_once("emoji=\""))?;
        name.split('"').next().map(str::to_owned)
    };
    let art = || page.art.map(|art| art.recipe.name().to_owned());
    page.picture.clone().or_else(written).or_else(art).unwrap_or_else(|| "none".to_owned())
}

fn stressed(page: &Page, slot: SlotId) -> String {
    let found = page.slots.iter().find(|s| s.id == slot);
    let words = found.into_iter().flat_map(|s| {
        s.emphasis.iter().filter_map(|r| s.text.get(r.start as usize..r.end as usize)).collect::<Vec<_>>()
    });
    words.collect::<Vec<_>>().join(", ")
}

fn colours(page: &Page) -> String {
    let p = &page.palette;
    format!("{} on {}", p.accent.to_hex(), p.bg.to_hex())
}

/// Returns the last word of an op's clause.
fn clause_end(op: &Op) -> String {
    super::super::instruction::clause(op).rsplit(' ').next().unwrap_or_default().to_owned()
}
