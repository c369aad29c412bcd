//! The source guard for trees: what each element claims, and whether the source supports it.

use super::{Commission, Licence};
use crate::compose::photo_number;
use crate::content::figures::supposes;
use crate::content::guard::Unsourced;
use crate::outline::is_claim;
use crate::tree::{Colour, Fault, Filling, Kind, Node, Role, Tree};

/// The largest number that may merely count: a step, an item.
const COUNTS: f64 = 30.0;
/// Elements that show numbers to scale.
const SCALED: [&str; 6] = ["item", "waffle", "pictogram", "progress", "rating", "chart"];
/// Attributes with such numbers.
const STATED: [&str; 2] = ["value", "values"];

impl Commission<'_> {
    /// Returns the elements that must be removed: claims without a source, and elements that an author's page may not
    /// contain.
    pub(super) fn claims(&self, tree: &Tree) -> Vec<Fault> {
        let mut shown = false;
        // An idea may be explained with numbers in an example that is marked as one.
        let example = self.licence == Licence::Idea && tree.root.walk().any(|node| supposes(&node.text()));
        let texts: Vec<String> = tree.root.walk().map(Node::text).filter(|text| !text.trim().is_empty()).collect();
        let mut at = 0;
        let wrong = |node: &Node| {
            let text = node.text();
            let here = at;
            at += usize::from(!text.trim().is_empty());
            let around =
                [here.checked_sub(1), Some(here + 1)].map(|n| n.and_then(|n| texts.get(n)).map(String::as_str));
            let words = self.words(node, example, around);
            words.and_then(|()| self.numbers(node)).and_then(|()| self.is_own(node, &mut shown))
        };
        tree.root.walk().filter_map(with_fault(wrong)).collect()
    }

    /// Checks the numbers, quotations, addresses and codes in the words of an element. `around` are the texts before
    /// and after it.
    fn words(&self, node: &Node, example: bool, around: [Option<&str>; 2]) -> Result<(), String> {
        let text = node.text();
        let numbers =
            matches!(node.name(), "badge" | "numeral") && text.trim().parse::<f64>().is_ok_and(|n| n <= COUNTS);
        let is_words = |name: &str| node.element.attribute(name).is_some_and(|a| a.kind == Kind::Words);
        let attributes = node.attributes.iter().filter(|(name, _)| is_words(name)).map(|(_, value)| value.as_str());
        // A value and its unit are one figure.
        let figure = node.get("unit").map(|unit| format!("{text} {unit}"));
        let own = figure.as_deref().unwrap_or(&text);
        for words in attributes.chain([own]).filter(|_| !numbers) {
            if self.licence == Licence::Source || is_claim(words) && !example {
                self.allows(words, around)?;
            }
            self.evidence.allows_addresses(words).map_err(|e| e.to_string())?;
        }
        if node.name() == "quote" {
            let said = || self.evidence.allows_quotation(&text);
            // A quotation in another language than its source would be invented, unless the model translates the whole
            // source.
            if !self.translates() && said().is_err() {
                return Err("a quotation must stand in the source word for word".to_owned());
            }
            // A name is spelled differently in another script.
            let by = node.get("by").filter(|_| !self.translates());
            if by.is_some_and(|who| self.evidence.allows_quotation(first_part(who)).is_err()) {
                return Err("the source doesn't name this person".to_owned());
            }
        }
        if node.name() == "qr" {
            let value = node.get("value").unwrap_or_default();
            self.evidence.allows_addresses(value).map_err(|e| e.to_string())?;
        }
        Ok(())
    }

    /// Checks whether words are supported. A bound may be in a separate text next to its figure: "over" above "95 %".
    fn allows(&self, words: &str, [before, after]: [Option<&str>; 2]) -> Result<(), String> {
        let wrong = match self.evidence.bears_out(words) {
            Ok(()) => return Ok(()),
            // In pages developed from an idea, quotation marks don't quote anybody.
            Err(Unsourced::Quotation(_)) if self.licence == Licence::Idea => return Ok(()),
            Err(wrong) => wrong,
        };
        let with_bound =
            [before.map(|before| format!("{before} {words}")), after.map(|after| format!("{words} {after}"))];
        let beside = matches!(wrong, Unsourced::Bound(_))
            && with_bound.iter().flatten().any(|all| self.evidence.bears_out(all).is_ok());
        if beside { Ok(()) } else { Err(wrong.to_string()) }
    }

    /// Checks the numbers of charts and other drawings to scale. Pictures only illustrate, so their parameters claim
    /// nothing.
    fn numbers(&self, node: &Node) -> Result<(), String> {
        if !SCALED.contains(&node.name()) {
            return Ok(());
        }
        let total = node.has("total").then(|| node.number("total")).flatten();
        for name in STATED {
            let Some((_, text)) = node.attributes.iter().find(|(n, _)| *n == name) else { continue };
            for number in text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '|')).filter(|t| !t.is_empty()) {
                let part = number.parse::<f64>().ok().zip(total).map(|(n, of)| format!("{} %", 100.0 * n / of));
                let known = |text: &str| self.evidence.allows(text).is_ok();
                // "7 of 10" states both numbers. If the total is the drawing's own, the share is a claim.
                let whole = total.is_none_or(|of| known(&of.to_string()));
                if !(known(number) && whole || part.is_some_and(|part| known(&part))) {
                    return Err(format!("{name}: the source has no number {number}"));
                }
            }
        }
        Ok(())
    }

    /// Rejects colours, photographs and logos that a page may not bring along.
    fn is_own(&self, node: &Node, shown: &mut bool) -> Result<(), String> {
        match node.name() {
            "logo" => Err("the frame shows the brand; leave it out".to_owned()),
            "progress" if !node.has("value") => Err("the frame shows the page's place; leave it out".to_owned()),
            "img" | "avatar" if node.has("src") => {
                let known = node.get("src").and_then(photo_number).is_some_and(|n| n < self.photos);
                let again = std::mem::replace(shown, true);
                match (known, again) {
                    (false, _) => Err("src: there is no such photograph".to_owned()),
                    (true, true) => Err("a page shows one photograph at most".to_owned()),
                    (true, false) => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }
}

/// Returns faults for colours outside the palette; their elements can stay without them.
pub(super) fn colours(tree: &Tree) -> Vec<Fault> {
    let wrong = |node: &Node| match (node.name(), coloured(node).first()) {
        (_, None) => Ok(()),
        ("page", Some(&"bg")) => {
            Err("bg: takes one of art1 … art5, or a color-mix of two; leave it out for the ground of the field"
                .to_owned())
        }
        (_, Some(name)) => Err(format!("{name}: takes a role of the palette, no colour of its own")),
    };
    tree.root.walk().filter_map(with_fault(wrong)).collect()
}

/// Returns faults for places that extend beyond the visible part of their drawing.
pub(super) fn places(tree: &Tree) -> Vec<Fault> {
    let drawings = tree.root.walk().filter(|node| node.name() == "svg");
    drawings
        .flat_map(|svg| {
            let [x, y, w, h] = svg.numbers("viewBox")[..] else { return Vec::new() };
            // The content of a scene may rise above its viewBox.
            let (top_edge, bottom) = (if svg.is_scene() { y - 0.5 * h } else { y }, y + h);
            let reaches_out = move |place: &&Node| match place.numbers("box")[..] {
                [left, top, wide, high] => left < x || top < top_edge || left + wide > x + w || top + high > bottom,
                _ => false,
            };
            let places = svg.children.iter().filter(|node| node.name() == "place").filter(reaches_out);
            places
                .map(|place| Fault::new(place.id.clone(), "its box reaches beyond the viewBox: move or shrink it"))
                .collect()
        })
        .collect()
}

fn with_fault(mut wrong: impl FnMut(&Node) -> Result<(), String>) -> impl FnMut(&Node) -> Option<Fault> {
    move |node| wrong(node).err().map(|why| Fault::new(node.id.clone(), why))
}

/// Returns the attributes of an element that give it a colour outside the palette.
pub(super) fn coloured(node: &Node) -> Vec<&'static str> {
    let own = |(name, _): &(&'static str, String)| match node.element.attribute(name).map(|a| a.kind) {
        _ if node.name() == "page" && *name == "bg" => {
            !matches!(node.colour(name), Some(Colour::Role(Role::Art(_)) | Colour::Mixed(..)))
        }
        Some(Kind::Colour) => matches!(node.colour(name), Some(Colour::Exact(_))),
        Some(Kind::Paint) => matches!(node.filling(name), Some(Filling::Colour(colour)) if colour.is_chosen()),
        _ => false,
    };
    node.attributes.iter().filter(|attribute| own(attribute)).map(|(name, _)| *name).collect()
}

/// Returns the name of a person without a role after a comma or a dash.
fn first_part(who: &str) -> &str {
    who.split([',', '–', '—', '(']).next().unwrap_or(who)
}
