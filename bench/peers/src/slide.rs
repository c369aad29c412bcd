//! The slide that all renderers draw: a gradient background, a headline over three lines, four rounded cards with soft
//! shadows, numbered discs, body text and a footer. Lengths are in du (1080 to the short edge), y down.

use render_core::scene::{Color, Point, Rect};
use render_core::text::{FaceId, Family, Fonts};

/// The canvas.
pub const WIDTH: f32 = 1080.0;
pub const HEIGHT: f32 = 1350.0;

/// Unit vector of the background gradient, and its CSS angle: degrees clockwise from upwards.
pub const DIRECTION: Point = Point::new(0.6, 0.8);
pub const CSS_ANGLE: &str = "143.130102deg";
/// The two colours of the background, interpolated in OKLab.
pub const GROUND: [Rgb; 2] = [Rgb(0x31, 0x2e, 0x81), Rgb(0x0e, 0x7a, 0x90)];

const CARD: Rgb = Rgb(0xff, 0xff, 0xff);
const DISC: Rgb = Rgb(0x4f, 0x46, 0xe5);
const INK: Rgb = Rgb(0x1e, 0x1b, 0x4b);
const PAPER: Rgb = Rgb(0xff, 0xff, 0xff);
const QUIET: Rgb = Rgb(0xc7, 0xd2, 0xfe);

/// Corner radius of the cards.
pub const CARD_RADIUS: f32 = 32.0;
/// The cards' shadow: offset down, with a CSS blur of 64 units, which is a standard deviation of half that.
pub const SHADOW_DOWN: f32 = 24.0;
pub const SHADOW_BLUR: f32 = 64.0;
pub const SHADOW_SIGMA: f32 = SHADOW_BLUR / 2.0;
pub const SHADOW: Rgb = Rgb(0x0a, 0x10, 0x32);
pub const SHADOW_ALPHA: f32 = 0.36;

const MARGIN: f32 = 72.0;
const MEASURE: f32 = WIDTH - 2.0 * MARGIN;
const CARD_TOP: f32 = 566.0;
const CARD_HEIGHT: f32 = 156.0;
const CARD_STEP: f32 = 176.0;
const DISC_RADIUS: f32 = 44.0;
const DISC_X: f32 = MARGIN + 80.0;
const BODY_X: f32 = MARGIN + 156.0;
const BODY_WIDTH: f32 = MARGIN + MEASURE - 36.0 - BODY_X;
const HEADLINE_SIZE: f32 = 160.0;
const HEADLINE_STEP: f32 = 152.0;
const BODY_SIZE: f32 = 44.0;
const BODY_STEP: f32 = 56.0;
const FOOTER_SIZE: f32 = 28.0;
const FOOTER_BASELINE: f32 = HEIGHT - 38.0;

/// Words of equal length, so that the layout stays the same while the text changes.
const MOODS: [&str; 8] = ["Calm", "Bold", "Kind", "Fair", "Slow", "Warm", "Deep", "Good"];
const TIMES: [&str; 8] =
    ["mornings", "evenings", "weekends", "holidays", "journeys", "meetings", "projects", "partners"];
const THINGS: [&str; 8] = ["rhythm", "window", "corner", "signal", "season", "moment", "record", "answer"];

/// Slide numbers have four digits.
const FIRST: usize = 1000;
const NUMBERS: usize = 9000;

/// An sRGB colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    /// Formats the colour for CSS and SVG.
    pub fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// One of the slide's two faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
    Display,
    Text,
}

impl Face {
    pub const ALL: [Self; 2] = [Self::Display, Self::Text];

    /// Returns the family name for renderers that register faces by name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Display => "display",
            Self::Text => "text",
        }
    }

    pub fn id(self, fonts: &Fonts) -> FaceId {
        match self {
            Self::Display => fonts.face(Family::Manrope, 800),
            Self::Text => fonts.face(Family::Manrope, 600),
        }
    }
}

/// Alignment of the lines in their box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stand {
    Start,
    Center,
    End,
}

/// A text in its box.
#[derive(Debug, Clone)]
pub struct Text {
    /// The words, which break into `lines` in this box.
    pub words: String,
    /// The lines, for renderers that can't break lines.
    pub lines: Vec<String>,
    pub face: Face,
    pub size: f32,
    /// Letter spacing in em.
    pub tracking: f32,
    /// Distance between baselines.
    pub step: f32,
    pub color: Rgb,
    pub x: f32,
    pub width: f32,
    /// Position of the first baseline.
    pub baseline: f32,
    pub stand: Stand,
}

impl Text {
    /// Returns the extra width of the spaces between words, in em, besides the letter spacing. Vivid does not let tight
    /// letter spacing narrow them.
    pub fn word_spacing(&self) -> f32 {
        -2.0 * self.tracking.min(0.0)
    }
}

/// A shape; shapes are listed in drawing order.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// A rounded rectangle with a shadow.
    Card(Rect, Rgb),
    Disc(Point, f32, Rgb),
}

/// One slide.
#[derive(Debug, Clone)]
pub struct Slide {
    /// Shapes below the texts.
    pub shapes: Vec<Shape>,
    pub texts: Vec<Text>,
}

impl Slide {
    /// Returns the slide of the `n`-th iteration. The first 9,000 slides have no text in common.
    pub fn new(n: usize, fonts: &Fonts) -> Self {
        let number = FIRST + n % NUMBERS;
        let (mood, time) = (MOODS[n % 8], TIMES[n / 3 % 8]);
        let thing = |k: usize| THINGS[(n * 3 + k) % 8];
        let cap = |face: Face, size: f32| fonts.metrics(face.id(fonts)).cap_height * size;
        let headline = [format!("{mood} ideas"), format!("about {number}"), time.to_owned()];
        let bodies = [
            [format!("Keep one {} every night", thing(0)), format!("including day {number}")],
            [format!("Leave your {} outside,", thing(1)), format!("remembering number {number}")],
            [format!("Write {number} words every day"), format!("describing your {}", thing(2))],
            [format!("Share one {} with them", thing(3)), format!("afterwards, before {number}")],
        ];
        let text = |lines: &[String], face, size, step, color| Text {
            words: lines.join(" "),
            lines: lines.to_vec(),
            face,
            size,
            tracking: 0.0,
            step,
            color,
            x: MARGIN,
            width: MEASURE,
            baseline: 0.0,
            stand: Stand::Start,
        };

        let display = text(&headline, Face::Display, HEADLINE_SIZE, HEADLINE_STEP, PAPER);
        let baseline = MARGIN + cap(Face::Display, HEADLINE_SIZE);
        let mut texts = vec![Text { tracking: -0.03, baseline, ..display }];
        let mut shapes = Vec::new();
        for (k, lines) in bodies.iter().enumerate() {
            let card = Rect::at(MARGIN, CARD_TOP + k as f32 * CARD_STEP, MEASURE, CARD_HEIGHT);
            let middle = card.center().y;
            shapes.push(Shape::Card(card, CARD));
            shapes.push(Shape::Disc(Point::new(DISC_X, middle), DISC_RADIUS, DISC));
            let half_cap = cap(Face::Display, BODY_SIZE) / 2.0;
            texts.push(Text {
                x: DISC_X - DISC_RADIUS,
                width: 2.0 * DISC_RADIUS,
                baseline: middle + half_cap,
                stand: Stand::Center,
                ..text(&[(k + 1).to_string()], Face::Display, BODY_SIZE, BODY_STEP, PAPER)
            });
            let half_cap = cap(Face::Text, BODY_SIZE) / 2.0;
            texts.push(Text {
                x: BODY_X,
                width: BODY_WIDTH,
                baseline: middle - BODY_STEP / 2.0 + half_cap,
                ..text(lines, Face::Text, BODY_SIZE, BODY_STEP, INK)
            });
        }
        for (line, stand) in
            [(format!("Vivid, edition {number}"), Stand::Start), (format!("{number} / 9999"), Stand::End)]
        {
            let footer = text(&[line], Face::Text, FOOTER_SIZE, FOOTER_SIZE, QUIET);
            texts.push(Text { baseline: FOOTER_BASELINE, stand, ..footer });
        }
        Self { shapes, texts }
    }
}

/// Returns the two ends of the background gradient as in CSS: the corners have exactly its end colours.
pub fn gradient_ends() -> [Point; 2] {
    let half = (WIDTH * DIRECTION.x + HEIGHT * DIRECTION.y) / 2.0;
    let at = |t: f32| Point::new(WIDTH / 2.0 + DIRECTION.x * t, HEIGHT / 2.0 + DIRECTION.y * t);
    [at(-half), at(half)]
}

/// Returns sRGB stops that approximate OKLab, for renderers that don't support it or don't dither in it. Between the
/// stops, the two differ by less than half a step of 255. Each stop is an offset and an encoded sRGB colour.
pub fn ground_in_srgb() -> impl Iterator<Item = (f32, [f32; 3])> {
    const STOPS: usize = 17;
    let ends = GROUND.map(|c| Color::rgb8(c.0, c.1, c.2).to_oklab());
    (0..STOPS).map(move |k| {
        let t = k as f32 / (STOPS - 1) as f32;
        let mixed = Color::from_oklab([0, 1, 2].map(|i| ends[0][i] + (ends[1][i] - ends[0][i]) * t));
        (t, [mixed.r, mixed.g, mixed.b])
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use render_core::text::{Align, Locale, Paragraph, TextStyle, layout};

    use super::*;

    /// Lines break with a wide margin, so that every renderer breaks them at the same place.
    #[test]
    fn lines_are_clearly_too_long_for_another_word() {
        let fonts = Fonts::new();
        for n in 0..64 {
            for text in Slide::new(n, &fonts).texts {
                let style = TextStyle {
                    face: text.face.id(&fonts),
                    size: text.size,
                    tracking: text.tracking,
                    leading: 1.0,
                    tabular: false,
                    case: false,
                    stylistic_set: 0,
                };
                let width = |words: &str| {
                    let locale = Locale::default();
                    let align = Align::Start;
                    let p = Paragraph { text: words, style, locale, align, balance: false, optical: false, spans: &[] };
                    layout(&fonts, &p, f32::INFINITY).width
                };
                for (k, line) in text.lines.iter().enumerate() {
                    assert!(width(line) < text.width * 0.97, "{line}: {} of {}", width(line), text.width);
                    if let Some(next) = text.lines.get(k + 1).and_then(|l| l.split(' ').next()) {
                        let longer = format!("{line} {next}");
                        assert!(width(&longer) > text.width * 1.04, "{longer}: {} of {}", width(&longer), text.width);
                    }
                }
            }
        }
    }

    #[test]
    fn texts_differ_at_every_iteration() {
        let fonts = Fonts::new();
        let mut seen = BTreeSet::new();
        for n in 0..300 {
            // The numbers in the discs don't change.
            for text in Slide::new(n, &fonts).texts.iter().filter(|t| t.words.len() > 1) {
                assert!(seen.insert(text.words.clone()), "{} twice", text.words);
            }
        }
    }

    #[test]
    fn the_gradient_ends_at_the_corners() {
        let [from, to] = gradient_ends();
        let along = |p: Point, q: Point| (q.x - p.x) * DIRECTION.x + (q.y - p.y) * DIRECTION.y;
        assert!(along(from, Point::new(0.0, 0.0)).abs() < 1e-3);
        assert!(along(to, Point::new(WIDTH, HEIGHT)).abs() < 1e-3);
    }
}
