//! Values of attributes: their types and their parsers. The error of every parser says what would be right.

use crate::scene::{Color, Size};

/// A colour in a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Colour {
    /// A role in the palette of the ground under it.
    Role(Role),
    /// The first role's colour, mixed with this percentage of the second's.
    Mixed(Role, Role, u8),
    /// An exact colour.
    Exact(Color),
}

impl Colour {
    /// Returns whether it is a free colour: no role, not black or white, and no skin tone.
    pub fn is_chosen(self) -> bool {
        let named = |color: Color| SKINS.iter().any(|(_, hex)| color == Color::hex(*hex));
        matches!(self, Self::Exact(color) if color != Color::BLACK && color != Color::WHITE && !named(color))
    }
}

/// The fill or stroke of a shape of an `svg`.
#[derive(Debug, Clone, PartialEq)]
pub enum Filling {
    /// Nothing.
    None,
    /// A gradient of the same `svg`, by its id.
    Gradient(String),
    /// A colour.
    Colour(Colour),
    /// The darker of the page's ink and its ground: outlines of illustrations.
    Dark,
    /// The lighter of both.
    Light,
    /// The first colour, mixed with this share of the second: a shade, a highlight. Both are colours or mixes.
    Mixed(Box<Filling>, Box<Filling>, f32),
}

/// Colours by purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The page's ground.
    Bg,
    /// A card on the ground.
    Surface,
    /// Headlines and running text.
    Ink,
    /// Supporting text.
    Ink2,
    /// Rules and inactive marks.
    Line,
    /// The accent.
    Accent,
    /// The accent as text.
    AccentInk,
    /// Text on the accent.
    OnAccent,
    /// A pale variant of the accent.
    Tint,
    /// The palette's contrasting field.
    Field,
    /// Text on that field.
    OnField,
    /// A colour of a series of data, from 0 to 5.
    Data(u8),
    /// A colour of the palette for drawings and grounds, from 0 to 4, independent of the ground under it.
    Art(u8),
}

/// Names of colour roles in the page language.
const ROLES: [(&str, Role); 23] = [
    ("bg", Role::Bg),
    ("surface", Role::Surface),
    ("ink", Role::Ink),
    ("ink2", Role::Ink2),
    ("line", Role::Line),
    ("accent", Role::Accent),
    ("accent-ink", Role::AccentInk),
    ("on-accent", Role::OnAccent),
    ("tint", Role::Tint),
    ("field", Role::Field),
    ("on-field", Role::OnField),
    ("data1", Role::Data(0)),
    ("data2", Role::Data(1)),
    ("data3", Role::Data(2)),
    ("data4", Role::Data(3)),
    ("data5", Role::Data(4)),
    ("data6", Role::Data(5)),
    ("art1", Role::Art(0)),
    ("art2", Role::Art(1)),
    ("art3", Role::Art(2)),
    ("art4", Role::Art(3)),
    ("art5", Role::Art(4)),
    ("currentColor", Role::Ink),
];

/// A length between elements or inside them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Space {
    /// A step of the spacing scale, 0–9.
    Step(u8),
    /// Design units.
    Du(f32),
}

/// A length along an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Length {
    /// A share of the parent, 0–1.
    Share(f32),
    /// A space.
    Space(Space),
}

/// Steps of the type scale, smallest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Labels and sources; the smallest readable size.
    Xs,
    /// Captions.
    Sm,
    /// Running text.
    Md,
    /// Leads and heads of items.
    Lg,
    /// Small headlines.
    Xl,
    /// Headlines.
    Xxl,
    /// Large headlines.
    Xxxl,
    /// Covers.
    Hero,
    /// Figures and numerals that fill a page.
    Giant,
    /// A figure that fills the page alone.
    Colossal,
}

/// Names of type steps in the page language.
const STEPS: [(&str, Step); 10] = [
    ("xs", Step::Xs),
    ("sm", Step::Sm),
    ("md", Step::Md),
    ("lg", Step::Lg),
    ("xl", Step::Xl),
    ("2xl", Step::Xxl),
    ("3xl", Step::Xxxl),
    ("hero", Step::Hero),
    ("giant", Step::Giant),
    ("colossal", Step::Colossal),
];

/// A range of type sizes: the largest at which everything fits is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fit {
    /// The smallest.
    pub min: Step,
    /// The largest.
    pub max: Step,
}

/// Shapes of pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Clearly taller than wide: stories, pins.
    Tall,
    /// About 4:5.
    Upright,
    /// About as wide as tall.
    Square,
    /// Wider than tall: slides, link previews.
    Wide,
    /// Strips: cover photographs, leaderboards.
    Strip,
}

/// Names of shapes in the page language.
const SHAPES: [(&str, Shape); 5] = [
    ("tall", Shape::Tall),
    ("upright", Shape::Upright),
    ("square", Shape::Square),
    ("wide", Shape::Wide),
    ("strip", Shape::Strip),
];

/// The position of a child in a `layer`, as shares of the free space: (0, 0) is the top left. `None` fills that axis.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Anchor {
    /// Along the width.
    pub x: Option<f32>,
    /// Along the height.
    pub y: Option<f32>,
}

/// Sides of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sides {
    /// Top.
    pub top: bool,
    /// Right.
    pub right: bool,
    /// Bottom.
    pub bottom: bool,
    /// Left.
    pub left: bool,
}

/// Least aspect ratio of a strip.
const STRIP: f32 = 2.6;

impl Shape {
    /// Returns the shape of an area of `w` × `h`.
    pub fn of(w: f32, h: f32) -> Self {
        match w / h.max(1e-3) {
            a if a < 0.7 => Self::Tall,
            a if a < 0.92 => Self::Upright,
            a if a < 1.2 => Self::Square,
            a if a < STRIP => Self::Wide,
            _ => Self::Strip,
        }
    }

    /// Returns the shape of a canvas with the area `room` for content: a wide canvas counts as a strip if its content
    /// area is one.
    pub fn of_page(canvas: Size, room: Size) -> Self {
        match Self::of(canvas.w, canvas.h) {
            Self::Wide if room.w > STRIP * room.h => Self::Strip,
            shape => shape,
        }
    }

    /// Returns its name.
    pub fn name(self) -> &'static str {
        SHAPES.iter().find(|(_, s)| *s == self).map_or("", |(name, _)| name)
    }
}

fn among<T: Copy>(names: &[(&'static str, T)], text: &str) -> Result<T, String> {
    names.iter().find(|(name, _)| *name == text).map(|(_, value)| *value).ok_or_else(|| {
        let all: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        format!("is none of {}", all.join(", "))
    })
}

/// Reads a colour role or a hexadecimal colour.
pub(crate) fn read_colour(text: &str) -> Result<Colour, String> {
    let text = text.trim();
    if text.starts_with("color-mix(") {
        let mixed = match read_tone(text, 1)? {
            Filling::Mixed(a, b, share) => match (*a, *b) {
                (Filling::Colour(Colour::Role(a)), Filling::Colour(Colour::Role(b))) => {
                    Some(Colour::Mixed(a, b, (100.0 * share) as u8))
                }
                _ => None,
            },
            _ => None,
        };
        return mixed.ok_or_else(|| "mixes something other than two roles".to_owned());
    }
    let Some(hex) = text.strip_prefix('#') else { return among(&ROLES, text).map(Colour::Role) };
    let digits: Vec<u32> = hex.chars().filter_map(|c| c.to_digit(16)).collect();
    let whole = match (digits.len() == hex.chars().count(), digits.len()) {
        (true, 6) => digits.iter().fold(0, |n, d| n << 4 | d),
        (true, 3) => digits.iter().fold(0, |n, d| n << 8 | d << 4 | d),
        _ => return Err("is no colour such as #0a7d4f".to_owned()),
    };
    Ok(Colour::Exact(Color::hex(whole)))
}

/// Skin tones of people in drawings, from light to dark. No palette has them.
const SKINS: [(&str, u32); 4] =
    [("skin1", 0x00F3_C9A5), ("skin2", 0x00D9_9A6C), ("skin3", 0x00A4_683F), ("skin4", 0x0063_3A22)];

/// Reads the fill of a shape: `none`, `dark`, `light`, `black`, `white`, `skin1` … `skin4`, a colour, `url(#id)`, or
/// `color-mix(in oklab, accent, black 20%)`.
pub(crate) fn read_filling(text: &str) -> Result<Filling, String> {
    let text = text.trim();
    if text == "none" {
        return Ok(Filling::None);
    }
    if let Some(id) = text.strip_prefix("url(#").and_then(|rest| rest.strip_suffix(')')) {
        return Ok(Filling::Gradient(id.to_owned()));
    }
    if text.starts_with("url") {
        return Err("refers to something other than a gradient of this svg".to_owned());
    }
    read_tone(text, MIXES)
}

/// Maximum nesting of colour mixes.
const MIXES: u8 = 4;

/// Reads a colour, or a mix of two.
fn read_tone(text: &str, depth: u8) -> Result<Filling, String> {
    match text {
        "dark" => return Ok(Filling::Dark),
        "light" => return Ok(Filling::Light),
        "black" => return Ok(Filling::Colour(Colour::Exact(Color::BLACK))),
        "white" => return Ok(Filling::Colour(Colour::Exact(Color::WHITE))),
        _ => {}
    }
    if let Some((_, hex)) = SKINS.iter().find(|(name, _)| *name == text) {
        return Ok(Filling::Colour(Colour::Exact(Color::hex(*hex))));
    }
    let Some(parts) = text.strip_prefix("color-mix(").and_then(|rest| rest.strip_suffix(')')) else {
        return read_colour(text).map(Filling::Colour);
    };
    read_mix(parts, depth).ok_or_else(|| "is no mix such as color-mix(in oklab, accent, black 20%)".into())
}

fn read_mix(parts: &str, depth: u8) -> Option<Filling> {
    let parts = parts.trim().strip_prefix("in oklab,").unwrap_or(parts);
    let mut open = 0_i32;
    let comma = parts.find(|c| {
        open += i32::from(c == '(') - i32::from(c == ')');
        open == 0 && c == ','
    })?;
    let read = |part: &str| {
        let part = part.trim();
        let (tone, share) = match part.strip_suffix('%').and_then(|p| p.rsplit_once(' ')) {
            Some((tone, share)) => (tone.trim(), Some(share.parse::<f32>().ok()?)),
            None => (part, None),
        };
        let left = if tone.starts_with("color-mix(") { depth.checked_sub(1)? } else { 0 };
        let tone = read_tone(tone, left).ok()?;
        share.is_none_or(|n| (0.0..=100.0).contains(&n)).then_some((Box::new(tone), share))
    };
    let ((a, kept), (b, share)) = (read(&parts[..comma])?, read(&parts[comma + 1..])?);
    let share = share.or(kept.map(|k| 100.0 - k)).unwrap_or(50.0);
    Some(Filling::Mixed(a, b, share / 100.0))
}

/// Reads a number of design units: `96du`.
fn read_du(text: &str) -> Option<f32> {
    let number = text.strip_suffix("du").or_else(|| text.strip_suffix("px"))?;
    number.trim().parse::<f32>().ok().filter(|n| n.is_finite() && (0.0..=8192.0).contains(n))
}

/// Reads a step from 0 to 9, or a length such as `96du`.
pub(crate) fn read_space(text: &str) -> Result<Space, String> {
    let text = text.trim();
    let step = || text.parse::<u8>().ok().filter(|n| *n <= 9).map(Space::Step);
    read_du(text).map(Space::Du).or_else(step).ok_or_else(|| "is no step from 0 to 9, nor a length such as 96du".into())
}

/// Reads `40%`, a step or a length.
pub(crate) fn read_length(text: &str) -> Result<Length, String> {
    let text = text.trim();
    match text.strip_suffix('%').map(|n| n.trim().parse::<f32>()) {
        Some(Ok(share)) if (0.0..=100.0).contains(&share) => Ok(Length::Share(share / 100.0)),
        Some(_) => Err("is no share from 0% to 100%".into()),
        None => read_space(text)
            .map(Length::Space)
            .map_err(|_| "is no share such as 40%, no step from 0 to 9, and no length such as 96du".into()),
    }
}

/// Reads a type step, or a range such as `md..hero`.
pub(crate) fn read_fit(text: &str) -> Result<Fit, String> {
    let text = text.trim();
    let (min, max) = text.split_once("..").unwrap_or((text, text));
    let fit = Fit { min: among(&STEPS, min.trim())?, max: among(&STEPS, max.trim())? };
    if fit.min <= fit.max { Ok(fit) } else { Err("is a range from a larger size to a smaller one".into()) }
}

/// Reads `true`, `false`, an empty value or the attribute's own name.
pub(crate) fn read_flag(text: &str, name: &str) -> Result<bool, String> {
    match text.trim() {
        "" | "true" | "yes" | "1" => Ok(true),
        "false" | "no" | "0" => Ok(false),
        own if own == name => Ok(true),
        _ => Err("is neither true nor false".into()),
    }
}

/// Reads numbers separated by spaces, commas or semicolons.
pub(crate) fn read_numbers(text: &str) -> Result<Vec<f64>, String> {
    let parts = text.split([' ', ',', ';', '\n', '\t', '\r']).filter(|p| !p.is_empty());
    let read = |p: &str| p.parse::<f64>().ok().filter(|n| n.is_finite());
    parts.map(read).collect::<Option<Vec<f64>>>().ok_or_else(|| "are not all numbers".into())
}

/// Reads names of shapes, separated by spaces.
pub(crate) fn read_shapes(text: &str) -> Result<Vec<Shape>, String> {
    text.split_whitespace().map(|name| among(&SHAPES, name)).collect()
}

/// Reads a position in a layer: `fill`, `center`, or up to two sides.
pub(crate) fn read_anchor(text: &str) -> Result<Anchor, String> {
    let mut anchor = Anchor { x: Some(0.5), y: Some(0.5) };
    for word in text.split_whitespace() {
        match word {
            "fill" => anchor = Anchor::default(),
            "center" => {}
            "top" => anchor.y = Some(0.0),
            "bottom" => anchor.y = Some(1.0),
            "left" => anchor.x = Some(0.0),
            "right" => anchor.x = Some(1.0),
            "across" => anchor.x = None,
            "down" => anchor.y = None,
            _ => return Err("is no place made of fill, center, top, bottom, left, right, across, down".into()),
        }
    }
    Ok(anchor)
}

/// Reads sides of a box.
pub(crate) fn read_sides(text: &str) -> Result<Sides, String> {
    let mut sides = Sides::default();
    for word in text.split_whitespace() {
        match word {
            "top" => sides.top = true,
            "right" => sides.right = true,
            "bottom" => sides.bottom = true,
            "left" => sides.left = true,
            "all" => sides = Sides { top: true, right: true, bottom: true, left: true },
            "none" => sides = Sides::default(),
            _ => return Err("are no sides made of top, right, bottom, left, all, none".into()),
        }
    }
    Ok(sides)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_and_faults_say_what_is_right() {
        assert_eq!(read_colour("#0a7d4f"), Ok(Colour::Exact(Color::hex(0x000A_7D4F))));
        assert_eq!(read_colour("#fff"), Ok(Colour::Exact(Color::hex(0x00FF_FFFF))));
        assert_eq!(read_colour("data3"), Ok(Colour::Role(Role::Data(2))));
        assert!(read_colour("blue").is_err_and(|e| e.contains("accent")));
        assert!(read_colour("#12345").is_err());
        let colour = |c: Colour| Box::new(Filling::Colour(c));
        let shade = Filling::Mixed(colour(Colour::Role(Role::Accent)), colour(Colour::Exact(Color::BLACK)), 0.2);
        assert_eq!(read_filling("color-mix(in oklab, accent, black 20%)"), Ok(shade.clone()));
        assert_eq!(read_filling("color-mix(accent 80%, black)"), Ok(shade));
        assert!(read_filling("color-mix(in oklab, color-mix(in oklab, tint, ink 9%), white)").is_ok());
        assert!(read_filling(&format!("{}tint, ink)", "color-mix(".repeat(9))).is_err());
        assert!(read_filling("color-mix(accent)").is_err() && read_filling("url(a.png)").is_err());
        assert_eq!(read_space("3"), Ok(Space::Step(3)));
        assert_eq!(read_space("96du"), Ok(Space::Du(96.0)));
        assert!(read_space("10").is_err() && read_space("-1du").is_err() && read_space("NaNdu").is_err());
        assert_eq!(read_length("40%"), Ok(Length::Share(0.4)));
        assert!(read_length("140%").is_err());
        assert_eq!(read_fit("md..hero"), Ok(Fit { min: Step::Md, max: Step::Hero }));
        assert_eq!(read_fit("lg"), Ok(Fit { min: Step::Lg, max: Step::Lg }));
        assert!(read_fit("hero..md").is_err());
        assert_eq!(read_numbers("3, 4;5 6"), Ok(vec![3.0, 4.0, 5.0, 6.0]));
        assert!(read_numbers("3 x").is_err() && read_numbers("inf").is_err());
        assert_eq!(read_anchor("bottom right"), Ok(Anchor { x: Some(1.0), y: Some(1.0) }));
        assert_eq!(read_anchor("bottom across"), Ok(Anchor { x: None, y: Some(1.0) }));
        assert_eq!(read_flag("", "mark"), Ok(true));
    }

    #[test]
    fn every_shape_of_page_has_a_name() {
        let shapes = [(1080.0, 1920.0), (1080.0, 1350.0), (1080.0, 1080.0), (1920.0, 1080.0), (4320.0, 1080.0)];
        let names: Vec<&str> = shapes.iter().map(|(w, h)| Shape::of(*w, *h).name()).collect();
        assert_eq!(names, ["tall", "upright", "square", "wide", "strip"]);
    }
}
