//! `avatar`: a person: a photograph, an emoji or initials in a disc, with the name next to it.

use super::Made;
use super::shared::text_box;
use super::signs::{Ground, ground, grounded, hugging, sign, thin, times, upon};
use crate::design::{Photo, Voice};
use crate::scene::{Coverage, ImageFit, Item, Paint, Rect, Role, Size, TextLevel};
use crate::sheet::{Boxed, Place, Plan, Ranged, With, Words};
use crate::text::Align;
use crate::tree::{Attribute, Colour, Element, Fit, Group, Holds, Kind, Node, Role as Named, Step};

/// Side of the disc relative to the size of the name, and of an emoji relative to the disc.
const SIDE: f32 = 2.3;
const EMOJI: f32 = 0.66;
/// Maximum letters of a title before a name.
const TITLE: usize = 5;
/// Size of initials relative to the disc.
const INITIALS: f32 = 0.38;

const ELEMENT: Element = Element {
    name: "avatar",
    group: Group::Marks,
    about: "a person: photo, emoji, icon or initials in a disc; words are the name, note a line below",
    holds: Holds::Words,
    attributes: &[
        Attribute::new("src", Kind::Name),
        Attribute::new("emoji", Kind::Emoji),
        Attribute::new("icon", Kind::Icon),
        Attribute::new("initials", Kind::Words),
        Attribute::new("note", Kind::Words),
        Attribute::or("fill", Kind::Colour, "tint"),
        Attribute::or("size", Kind::Fit, "sm..md"),
    ],
};

pub const MADE: Made = Made { element: &ELEMENT, build_box: Some(build_box) };

/// Returns the first letters of the first and the last word of a name, without titles and words that begin with another
/// character.
pub(crate) fn initials(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().filter(|w| w.starts_with(char::is_alphabetic)).collect();
    let titles = words.iter().take_while(|word| is_title(word)).count();
    let named = if titles < words.len() { titles } else { 0 };
    let mut words = words.into_iter().skip(named);
    let (first, last) = (words.next(), words.next_back());
    let letter = |word: &str| word.chars().take(1).flat_map(char::to_uppercase).collect::<String>();
    first.into_iter().chain(last).map(letter).collect()
}

/// Whether a word before a name is a title: "Dr.", "Prof.".
fn is_title(word: &str) -> bool {
    word.strip_suffix('.').is_some_and(|title| (2..=TITLE).contains(&title.chars().count()))
}

fn build_box(node: &Node, with: &With<'_>) -> Boxed {
    let fit = node.fit("size").unwrap_or(Fit { min: Step::Sm, max: Step::Md });
    let fill = with.inks.fill(node.colour("fill").unwrap_or(Colour::Role(Named::Tint)));
    let size = with.square(fit.min, fit.max, SIDE);
    let name = node.text();
    let disc = match node.get("src").and_then(|src| with.setting.photo(src.trim())) {
        Some(photo) => picture(photo, size, with, fill),
        None => {
            let ink = if node.has("fill") { upon(with, fill) } else { with.on(fill).inks.ink() };
            let shown = sign(node, with, times(size, EMOJI), ink).or_else(|| {
                let text = node.get("initials").map_or_else(|| initials(&name), str::to_owned);
                (!text.trim().is_empty()).then(|| letters(&text, node, &with.on(fill), size, ink))
            });
            grounded(ground(Ground::Circle, size, Some(fill), thin(with), 0.0), shown)
        }
    };
    let inside = with.aligned(Align::Start);
    let named = (!name.trim().is_empty()).then(|| {
        let plan = Plan { id: &node.id, fit, ..Plan::at(Voice::Head, fit.max, 2) };
        Boxed::words(Words::new(&node.words, Plan { level: TextLevel::Body, ..plan }, &inside))
    });
    let note = node.get("note").map(|note| {
        let plan = Plan { ink: Some(with.inks.ink2()), ..Plan::at(Voice::Label, fit.max, 2) };
        let plan = Plan { level: TextLevel::Small, ..plan.fit(Step::Xs, Step::Sm.min(fit.max)) };
        text_box(note, &format!("{}.note", node.id), &inside, plan)
    });
    let beside: Vec<Boxed> = named.into_iter().chain(note).collect();
    if beside.is_empty() {
        return hugging(disc, with);
    }
    let words = Boxed::column(0.5 * with.size(fit.min), beside);
    let made = Boxed::row(0.5 * with.size(fit.max), Place::Center, vec![disc, words]);
    hugging(made, with).with(|lay| lay.shrink = true)
}

/// Returns a box with initials, scaled to the disc.
fn letters(text: &str, node: &Node, with: &With<'_>, size: Ranged<Size>, ink: crate::scene::Color) -> Boxed {
    let plan = Plan { ink: Some(ink), align: Some(Align::Center), ..Plan::at(Voice::Head, Step::Sm, 1) };
    let plan = Plan { level: TextLevel::Small, ..plan };
    let mut words = match text_box(text, &format!("{}.initials", node.id), with, plan) {
        Boxed { content: crate::sheet::Content::Words(words), .. } => words,
        other => return other,
    };
    let floor = words.floor;
    words.size = Ranged { min: (INITIALS * size.min.h).max(floor), max: (INITIALS * size.max.h).max(floor) };
    Boxed::words(*words)
}

fn picture(photo: &Photo, size: Ranged<Size>, with: &With<'_>, fill: crate::scene::Color) -> Boxed {
    let (pixels, focus, line) = (photo.pixels.clone(), photo.focus, thin(with));
    Boxed::drawn(size, move |rect: Rect| {
        let rect = super::signs::square(rect);
        let radii = Size::new(rect.w() / 2.0, rect.h() / 2.0);
        let coverage = Coverage::Ellipse { center: rect.center(), radii, stroke: None };
        let paint = match pixels.clone() {
            Some(image) => Paint::Image { image, rect, fit: ImageFit::Cover, focus },
            None => Paint::Solid(fill),
        };
        let ring =
            |l: crate::sheet::Border| Item::ring(rect.center(), radii.w - l.width / 2.0, l.width, l.color, Role::Mark);
        std::iter::once(Item::new(coverage, paint, Role::Art)).chain(line.map(ring)).collect()
    })
    .rigid()
}

#[cfg(test)]
mod tests {
    use super::initials;

    #[test]
    fn initials_are_those_of_the_first_and_the_last_name() {
        assert_eq!(initials("Anna Berg"), "AB");
        assert_eq!(initials("Prof. Dr. Anna Berg"), "AB");
        assert_eq!(initials("J. R. Berg"), "JB");
        assert_eq!(initials("Dr."), "D");
        assert_eq!(initials("anna"), "A");
        assert_eq!(initials("Juan José de la Cruz"), "JC");
        assert_eq!(initials("4ever & Ünal"), "Ü");
        assert_eq!(initials(" "), "");
    }
}
