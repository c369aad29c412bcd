//! The look of a set: the style and the colours that a model chooses for its subject where the client leaves them open.

use std::fmt::Write;

use render_core::design::{Brand, Colours, Field, Scheme, Style, Theme};
use render_core::scene::Color;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Order;

/// What is open about the look of a set, or was chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Look {
    /// The style.
    pub style: Style,
    /// The colours, where they are neither the brand's nor the style's own.
    pub scheme: Option<Scheme>,
}

/// A look as a model writes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Chosen {
    #[serde(default)]
    style: Option<String>,
    #[serde(default)]
    colours: Vec<String>,
}

/// What is open of the look of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Open {
    style: bool,
    colours: bool,
}

impl Look {
    /// That of an order before anything is chosen: the style that was asked for, else the service's own.
    pub fn of(style: Option<Style>) -> Self {
        Self { style: style.unwrap_or(Style::MODERN), scheme: None }
    }
}

impl Open {
    /// A style is open where nobody named one; colours are open where no brand has them.
    pub fn of(order: &Order<'_>) -> Self {
        Self { style: order.style.is_none(), colours: !order.brand.is_some_and(Brand::has_colours) }
    }

    pub fn any(self) -> bool {
        self.style || self.colours
    }

    /// What a model is asked to choose.
    pub fn question(self, order: &Order<'_>) -> String {
        let mut out = String::new();
        // Writing to a string can't fail.
        if self.style {
            out.push_str("look.style is the style that suits the subject and its readers, one of these:\n");
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
                 very light.\n",
            );
        }
        out
    }

    /// The form of the answer.
    pub fn schema(self) -> Value {
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
        json!({ "type": "object", "additionalProperties": false, "required": required, "properties": properties })
    }

    /// The look of an order by what a model chose. What is not open, or makes no sense, is left as it is.
    pub fn settled(self, order: &Order<'_>, chosen: &Chosen) -> Look {
        let style = chosen.style.as_deref().filter(|_| self.style).and_then(Style::by_name).unwrap_or(order.look.style);
        let scheme = self.colours.then(|| scheme(&chosen.colours)).flatten();
        // By night the ground is dark whatever the subject.
        let scheme = scheme.filter(|s| style != Style::DARK || s.0[0].to_oklch().l < DARK);
        Look { style, scheme }
    }
}

/// The lightness that the ground of the style `dark` has at most.
const DARK: f32 = 0.4;

fn scheme(colours: &[String]) -> Option<Scheme> {
    let read = |text: &String| {
        let digits = text.trim().strip_prefix('#').filter(|d| d.len() == 6)?;
        u32::from_str_radix(digits, 16).ok().map(Color::hex)
    };
    let colours: Vec<Color> = colours.iter().map(read).collect::<Option<_>>()?;
    Scheme::of(colours.try_into().ok()?)
}

/// The colours of an order's pages, for an author who draws with them.
pub(super) fn palette(order: &Order<'_>) -> String {
    let colours = Colours { style: order.look.style, seed: order.seed, brand: order.brand, scheme: order.look.scheme };
    let grounds = Field::ALL.map(|field| {
        let p = colours.on(field);
        format!(
            "field {}: ground {}, ink {}, accent {}",
            field.name(),
            p.bg.to_hex(),
            p.ink.to_hex(),
            p.accent.to_hex()
        )
    });
    let art = colours.on(Field::Base).art;
    let art: Vec<String> = (1..).zip(art).map(|(n, c)| format!("art{n} {}", c.to_hex())).collect();
    format!("Its colours: {}; {}.\n", grounds.join("; "), art.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scheme_is_five_colours_that_are_told_apart() {
        let read = |colours: [&str; 5]| scheme(&colours.map(str::to_owned));
        assert!(read(["#0b1026", "#e9eaec", "#f23c1a", "#8a8f98", "#ffc53d"]).is_some());
        assert_eq!(read(["#0b1026", "#0b1026", "#f23c1a", "#8a8f98", "#ffc53d"]), None);
        assert_eq!(read(["#0b1026", "navy", "#f23c1a", "#8a8f98", "#ffc53d"]), None);
        assert_eq!(scheme(&["#0b1026".to_owned()]), None);
    }
}
