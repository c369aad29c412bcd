//! What an author is told of the page language beside its reference: pictures, icons, and a set of pages as an example.

use std::fmt::Write;

use crate::icon::Icon;
use crate::leaf;
use crate::pictures::{self, Range};

/// A set of ten pages, and the source that it was made of.
pub const EXAMPLE: (&str, &str) =
    (include_str!("../../assets/pages/set/source.md"), include_str!("../../assets/pages/set/pages.xml"));

/// The page language for the prompt of a model: elements, pictures, icons. It is the same for every request, so that
/// endpoints can cache it.
pub fn reference() -> String {
    let mut out = leaf::reference();
    out.push_str("\n## Pictures by name\n\nParameters stand in brackets, with their ranges.\n\n");
    for entry in pictures::all() {
        let parameters: Vec<String> = entry
            .parameters
            .iter()
            .map(|p| match &p.range {
                Range::Whole { min, max, .. } => format!("{} {min}–{max} {}", p.name, p.about),
                Range::Words(words) => format!("{} {}", p.name, words.join("|")),
            })
            .collect();
        let brackets = if parameters.is_empty() { String::new() } else { format!(" ({})", parameters.join("; ")) };
        // Writing to a string can't fail.
        let _ = writeln!(out, "- {}: {}{brackets}", entry.name, entry.about);
    }
    let icons: Vec<&str> = Icon::all().map(Icon::name).collect();
    let _ = write!(out, "\n## Icons by name\n\n{}\n", icons.join(" "));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_names_every_picture_and_icon_once() {
        let reference = reference();
        assert!(pictures::all().iter().all(|entry| reference.contains(&format!("\n- {}: ", entry.name))));
        assert!(Icon::all().all(|icon| reference.contains(icon.name())));
    }
}
