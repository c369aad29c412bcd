//! The catalogue of output formats, read from `assets/formats.toml`: data, not code.
//!
//! The engine may depend on a format only through its entry here, never through its id.

use std::fmt;
use std::sync::OnceLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::scene::{Rect, Size};

/// Default inset of every side, as a share of the short edge.
const DEFAULT_INSET: f32 = 0.04;
/// Pixels of the long edge at 2K.
const LONG_EDGE_2K: u32 = 2048;
/// Design units of the short edge, for all formats and resolutions.
const SHORT_EDGE_DU: f32 = 1080.0;
/// Points per inch, and millimetres per inch.
const POINTS_PER_INCH: f32 = 72.0;
const MM_PER_INCH: f32 = 25.4;
/// Pixels per inch of a screen.
const SCREEN_DPI: f32 = 96.0;
/// The smallest sizes on banners of any text, of sentences under heads and of paragraphs, in the platform's own pixels.
/// Smaller letters can't be read on screens without pixel scaling.
const BANNER_PX: (f32, f32, f32) = (9.5, 10.5, 11.5);

/// A format of the catalogue: its index in [`Format::all`]. Displays and serialises as the format's id string.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormatId(u16);

impl FormatId {
    /// Returns the format's entry.
    pub fn format(self) -> &'static Format {
        &Format::all()[usize::from(self.0)]
    }

    /// Returns the id string, such as `instagram_post`.
    pub fn as_str(self) -> &'static str {
        &self.format().key
    }
}

impl fmt::Display for FormatId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for FormatId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for FormatId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for FormatId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = String::deserialize(deserializer)?;
        let format = Format::by_id(&id);
        format.map(|f| f.id).ok_or_else(|| serde::de::Error::custom(format_args!("there is no format {id:?}")))
    }
}

/// An output format.
#[derive(Debug, Clone, PartialEq)]
pub struct Format {
    /// The index in the catalogue; displays as the id string.
    pub id: FormatId,
    key: String,
    /// The display name.
    pub name: String,
    /// The platform where the format is used.
    pub platform: String,
    /// The purpose of the format.
    pub category: Category,
    /// When to use the format, in one sentence.
    pub description: String,
    /// Width in the platform's own pixels.
    pub width: u32,
    /// Height in the platform's own pixels.
    pub height: u32,
    /// Whether the format is a set of slides.
    pub carousel: bool,
    /// Bounds of the number of slides; `Some` only for carousels.
    pub slides: Option<Slides>,
    /// The area that text and logos keep clear of. Art may bleed into it.
    pub safe: Insets,
    /// How much text a page may carry, and how small.
    pub density: Density,
    /// What pages of the format communicate.
    pub purpose: Purpose,
    /// The size in points (1/72 inch) of printed formats; `None` for formats that are read on a screen.
    paper: Option<(f32, f32)>,
}

/// The purposes of formats, in the order in which they are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Posts, stories, covers of social networks.
    Social,
    /// Cards, headers, covers.
    Marketing,
    /// Advertisements.
    Advertising,
    /// Slides.
    Presentation,
    /// Pages to print or send.
    Document,
    /// Several facts in one picture.
    Infographic,
    /// Pictures in messages.
    Email,
    /// Pictures on a landing page.
    LandingPage,
    /// Listings in app stores and online shops.
    Store,
}

impl Category {
    /// Returns the name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Social => "social",
            Self::Marketing => "marketing",
            Self::Advertising => "advertising",
            Self::Presentation => "presentation",
            Self::Document => "document",
            Self::Infographic => "infographic",
            Self::Email => "email",
            Self::LandingPage => "landing_page",
            Self::Store => "store",
        }
    }
}

/// Bounds of a carousel's slide count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slides {
    /// The smallest count.
    pub min: u32,
    /// The largest count.
    pub max: u32,
    /// The count if the request names none.
    pub default: u32,
}

/// Insets per side: `top` and `bottom` as shares of the height, `left` and `right` of the width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Insets {
    /// From the top edge.
    pub top: f32,
    /// From the right edge.
    pub right: f32,
    /// From the bottom edge.
    pub bottom: f32,
    /// From the left edge.
    pub left: f32,
}

/// How much text a page may carry, and how small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Density {
    /// Read in passing, on a phone.
    Poster,
    /// Presented or sent.
    Slide,
    /// Read at leisure.
    Document,
    /// Read in passing, at the platform's own pixel size: display advertisements.
    Banner,
}

/// What a format communicates; this restricts the kinds of page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Whatever suits the source best.
    Any,
    /// A quotation.
    Quote,
    /// A statistic.
    Stat,
    /// A customer's quotation.
    Testimonial,
    /// News, an offer, an event.
    Announcement,
    /// A title.
    Cover,
    /// Several points.
    Document,
}

/// The pixel size of an image. Add new variants at the end: stored rows hold a variant's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Resolution {
    /// The long edge is 2048 pixels.
    #[default]
    #[serde(rename = "2K")]
    TwoK,
    /// Exactly twice that: the long edge is 4096 pixels.
    #[serde(rename = "4K")]
    FourK,
    /// The platform's own pixel size.
    #[serde(rename = "exact")]
    Exact,
}

impl Resolution {
    /// The resolutions with a name on the wire.
    pub const NAMED: [Self; 2] = [Self::TwoK, Self::FourK];

    /// Returns the name on the wire: `2K` or `4K`. The platform's own size replaces `2K`; a separate flag requests it.
    pub fn name(self) -> &'static str {
        match self {
            Self::TwoK | Self::Exact => "2K",
            Self::FourK => "4K",
        }
    }

    /// Returns the resolution with this name on the wire.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|r| r.name() == name)
    }
}

impl Format {
    /// Returns the catalogue, in the order of its categories.
    pub fn all() -> &'static [Self] {
        static CATALOGUE: OnceLock<Vec<Format>> = OnceLock::new();
        CATALOGUE.get_or_init(|| read(include_str!("../assets/formats.toml")).expect("the catalogue is tested"))
    }

    /// Returns the format with this id string.
    pub fn by_id(id: &str) -> Option<&'static Self> {
        Self::all().iter().find(|f| f.key == id)
    }

    /// Returns how many characters a page should carry at most. This depends on how the page is read, and decreases
    /// with its width, because a wide page is low.
    pub fn characters(&self) -> f32 {
        let by = match self.size_du().aspect() {
            a if a > 2.2 => 0.45,
            a if a > 1.2 => 0.62,
            a if a > 0.9 => 0.85,
            _ => 1.0,
        };
        let full = match self.density {
            Density::Banner => 220.0,
            Density::Poster => 400.0,
            Density::Slide => 900.0,
            Density::Document => 1_500.0,
        };
        full * by
    }

    /// Returns width and height of an image in pixels: the platform's own; or a long edge of 2048 or 4096, with the
    /// short edge rounded to the nearest even number, or twice that.
    pub fn size(&self, resolution: Resolution) -> (u32, u32) {
        let factor = match resolution {
            Resolution::Exact => return (self.width, self.height),
            Resolution::TwoK => 1,
            Resolution::FourK => 2,
        };
        let (long, short) = (self.width.max(self.height), self.width.min(self.height));
        // 2·round(1024·short/long), in integers.
        let edge = 2 * ((LONG_EDGE_2K * short + long) / (2 * long));
        let (long, short) = (LONG_EDGE_2K * factor, edge * factor);
        if self.width >= self.height { (long, short) } else { (short, long) }
    }

    /// Returns width and height of a page in a PDF, in points (1/72 inch): the paper size for printed formats, and the
    /// size on a screen for others, whose base pixels are 1/96 inch.
    pub fn size_points(&self) -> (f32, f32) {
        let on_screen = |pixels: u32| pixels as f32 * POINTS_PER_INCH / SCREEN_DPI;
        self.paper.unwrap_or_else(|| (on_screen(self.width), on_screen(self.height)))
    }

    /// Returns width and height in design units: the short edge is 1080, for all resolutions.
    pub fn size_du(&self) -> Size {
        let (w, h) = self.size(Resolution::TwoK);
        let k = SHORT_EDGE_DU / w.min(h) as f32;
        Size::new(w as f32 * k, h as f32 * k)
    }

    /// Returns the area for text and logos, in design units.
    pub fn safe_rect_du(&self) -> Rect {
        let Size { w, h } = self.size_du();
        Rect::new(w * self.safe.left, h * self.safe.top, w * (1.0 - self.safe.right), h * (1.0 - self.safe.bottom))
    }

    /// Returns the design units per pixel of the platform.
    pub fn pixel_du(&self) -> f32 {
        SHORT_EDGE_DU / self.width.min(self.height) as f32
    }

    /// Returns the smallest allowed size in du of any text.
    pub fn smallest_size(&self) -> f32 {
        match self.density {
            Density::Banner => BANNER_PX.0 * self.pixel_du(),
            Density::Poster => (0.022 * self.size_du().w).max(24.0),
            Density::Slide => 20.0,
            Density::Document => 15.0,
        }
    }

    /// Returns the smallest allowed size in du of a page's own paragraphs.
    pub fn smallest_body(&self) -> f32 {
        match self.density {
            Density::Poster => self.smallest_note().max(36.0),
            Density::Banner => BANNER_PX.2 * self.pixel_du(),
            Density::Slide | Density::Document => self.smallest_note(),
        }
    }

    /// Returns the smallest allowed size in du of the sentences under the heads of items.
    pub fn smallest_note(&self) -> f32 {
        match self.density {
            Density::Banner => BANNER_PX.1 * self.pixel_du(),
            Density::Poster => 0.028 * self.size_du().w,
            Density::Slide => 28.0,
            Density::Document => 19.0,
        }
    }

    /// Returns the aspect ratio in its usual form: exact if both terms are small (`4:5`), otherwise with two decimals
    /// against one (`1.91:1`).
    pub fn aspect_ratio_label(&self) -> String {
        let g = gcd(self.width, self.height);
        let (w, h) = (self.width / g, self.height / g);
        if w.max(h) <= 25 {
            return format!("{w}:{h}");
        }
        let trim = |x: f64| format!("{x:.2}").trim_end_matches('0').trim_end_matches('.').to_owned();
        if w >= h {
            format!("{}:1", trim(f64::from(w) / f64::from(h)))
        } else {
            format!("1:{}", trim(f64::from(h) / f64::from(w)))
        }
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Catalogue {
    format: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    name: String,
    platform: String,
    category: Category,
    description: String,
    base: [u32; 2],
    paper: Option<Paper>,
    slides: Option<[u32; 3]>,
    #[serde(default)]
    safe: Sides,
    density: Density,
    purpose: Purpose,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sides {
    top: Option<f32>,
    right: Option<f32>,
    bottom: Option<f32>,
    left: Option<f32>,
}

/// The paper size of a printed format.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Paper {
    size: [f32; 2],
    unit: Unit,
}

/// The units of paper sizes.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Unit {
    Mm,
    In,
}

impl Paper {
    fn in_points(&self) -> (f32, f32) {
        let [width, height] = self.size;
        let points = match self.unit {
            Unit::Mm => POINTS_PER_INCH / MM_PER_INCH,
            Unit::In => POINTS_PER_INCH,
        };
        (width * points, height * points)
    }
}

fn read(text: &str) -> Result<Vec<Format>, toml::de::Error> {
    let catalogue: Catalogue = toml::from_str(text)?;
    Ok((0..).zip(catalogue.format).map(|(i, e)| e.into_format(FormatId(i))).collect())
}

impl Entry {
    fn into_format(self, id: FormatId) -> Format {
        let [width, height] = self.base;
        let inset = DEFAULT_INSET * width.min(height) as f32;
        let (x, y) = (inset / width as f32, inset / height as f32);
        let safe = Insets {
            top: self.safe.top.unwrap_or(y),
            right: self.safe.right.unwrap_or(x),
            bottom: self.safe.bottom.unwrap_or(y),
            left: self.safe.left.unwrap_or(x),
        };
        Format {
            id,
            key: self.id,
            name: self.name,
            platform: self.platform,
            category: self.category,
            description: self.description,
            width,
            height,
            carousel: self.slides.is_some(),
            slides: self.slides.map(|[min, max, default]| Slides { min, max, default }),
            safe,
            density: self.density,
            purpose: self.purpose,
            paper: self.paper.map(|paper| paper.in_points()),
        }
    }
}

#[cfg(test)]
#[path = "format_tests.rs"]
mod tests;
