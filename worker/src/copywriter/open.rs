//! The parts of the look that a model chooses for its subject if the client leaves them open: the style and the colours.

use std::fmt::Write;

use render_core::design::{Background, Brand, Palette, Scheme, Style, Theme};
use render_core::scene::Color;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::look::Look;
use super::order::Order;

/// The lightness below which a background is dark.
const DARK: f32 = 0.4;

/// A look as a model writes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Chosen {
    #[serde(default)]
    style: Option<String>,
    #[serde(default)]
    colours: Vec<String>,
}

/// The parts of an order's look that the model chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Open {
    style: bool,
    colours: bool,
}

impl Open {
    /// The style is open if the client requested none; colours are open if no brand has them.
    pub fn of(order: &Order<'_>) -> Self {
        Self { style: order.style.is_none(), colours: !order.brand.is_some_and(Brand::has_colours) }
    }

    pub fn any(self) -> bool {
        self.style || self.colours
    }

    /// Returns the question about the look.
    pub fn question(self, order: &Order<'_>) -> String {
        let mut out = String::new();
        // Writing to a string can't fail.
        if self.style {
            out.push_str(
                "look.style is the style whose type and manner suit the subject and its readers. Its type is the voice of the \
                 set, seen before a word is read: prefer one with a character of its own, and take modern or minimal only \
                 where the subject itself is neutral. One of these:\n",
            );
            for style in Style::all() {
                let _ = writeln!(out, "- {}: {}", style.name(), Theme::of(style).about);
            }
        } else {
            let _ = writeln!(out, "The style is {}: {}.", order.look.style.name(), Theme::of(order.look.style).about);
        }
        if self.colours {
            out.push_str(
                "look.colours are five colours as #rrggbb, in this order: the ground of most pages, the ground of pages that \
                 stand out, the accent, and two more for drawings. Take them from the world of the subject (a moon landing: \
                 night blue, pale grey, signal red, dust, gold), so that nobody would expect them of another subject, and \
                 within what the style is. They differ clearly from one another in lightness or hue; one is very dark, one \
                 very light. The first two carry words: each is very light or dark, no middle tone, and neither is the \
                 darkest of all.\n",
            );
        }
        out
    }

    /// Returns the JSON schema of the answer; `None` if nothing is to be chosen.
    pub fn schema(self) -> Option<Value> {
        let names: Vec<&str> = Style::all().map(Style::name).collect();
        let mut properties = serde_json::Map::new();
        if self.style {
            properties.insert("style".to_owned(), json!({ "type": "string", "enum": names }));
        }
        if self.colours {
            let colour = json!({ "type": "string", "description": "#rrggbb" });
            properties.insert(
                "colours".to_owned(),
                json!({ "type": "array", "minItems": 5, "maxItems": 5, "items": colour }),
            );
        }
        let required: Vec<String> = properties.keys().cloned().collect();
        let form =
            json!({ "type": "object", "additionalProperties": false, "required": required, "properties": properties });
        self.any().then_some(form)
    }

    /// Returns the look of an order with the model's choice. Ignores what is not open or not valid.
    pub fn settled(self, order: &Order<'_>, chosen: &Chosen) -> Look {
        let style = chosen.style.as_deref().filter(|_| self.style).and_then(Style::by_name).unwrap_or(order.look.style);
        let scheme = Scheme::read(chosen.colours.iter().map(String::as_str));
        let scheme = scheme.filter(|scheme| self.colours && suits(style, scheme));
        Look { style, scheme }
    }
}

/// Returns whether a scheme's main background is dark if every scheme of the style has a dark one.
fn suits(style: Style, scheme: &Scheme) -> bool {
    let is_dark = |ground: Color| ground.to_oklch().l < DARK;
    let schemes = 0..Theme::of(style).schemes.len() as u64;
    let always = schemes.into_iter().all(|seed| is_dark(Palette::pick(style, Background::Base, seed).bg));
    !always || is_dark(scheme.0[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_style_that_is_always_dark_takes_no_light_ground() {
        let scheme = |colours: [&str; 5]| Scheme::read(colours.into_iter()).expect("five colours");
        let night = scheme(["#0b1026", "#e9eaec", "#f23c1a", "#8a8f98", "#ffc53d"]);
        let day = scheme(["#e9eaec", "#0b1026", "#f23c1a", "#8a8f98", "#ffc53d"]);
        assert!(suits(Style::DARK, &night) && !suits(Style::DARK, &day));
        assert!(suits(Style::MODERN, &night) && suits(Style::MODERN, &day));
    }
}
