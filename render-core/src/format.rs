//! The catalogue of output formats, read from `assets/formats.toml`: data, not code.
//!
//! Nothing in the engine may depend on a format's id except through what its entry says here.

use std::fmt;
use std::sync::OnceLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::scene::{Rect, Size};

/// The inset that every side has unless its entry says more, as a share of the short edge.
const DEFAULT_INSET: f32 = 0.04;
/// Pixels of the long edge at 2K.
const LONG_EDGE_2K: u32 = 2048;
/// Design units of the short edge, whatever the format and resolution.
const SHORT_EDGE_DU: f32 = 1080.0;
/// On banners, the smallest sizes of any text, of sentences under heads and of paragraphs, in the platform's own pixels:
/// smaller letters can't be read on screens that show a pixel as a pixel.
const BANNER_PX: (f32, f32, f32) = (9.5, 10.5, 11.5);

/// A format of the catalogue: its place in [`Format::all`]. Displays and serialises as the format's id string.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormatId(u16);

impl FormatId {
    /// Its entry.
    pub fn format(self) -> &'static Format {
        &Format::all()[usize::from(self.0)]
    }

    /// Its id string, such as `instagram_post`.
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
    /// Its place in the catalogue; displays as its id string.
    pub id: FormatId,
    key: String,
    /// What people call it.
    pub name: String,
    /// Where it is shown.
    pub platform: String,
    /// What it is for.
    pub category: Category,
    /// When to use it, in a sentence.
    pub description: String,
    /// Width in the platform's own pixels.
    pub width: u32,
    /// Height in the platform's own pixels.
    pub height: u32,
    /// Whether it is a set of slides.
    pub carousel: bool,
    /// How many slides; `Some` for carousels alone.
    pub slides: Option<Slides>,
    /// What text and logos keep clear of. Art may bleed.
    pub safe: Insets,
    /// How much it may say and how small.
    pub density: Density,
    /// What it is made to say.
    pub purpose: Purpose,
}

/// What formats are for, in the order in which they are listed.
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
    /// Listings in stores of apps and goods.
    Store,
}

impl Category {
    /// Its name on the wire.
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
    /// The fewest.
    pub min: u32,
    /// The most.
    pub max: u32,
    /// Where nothing is said.
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

/// How much a page may say, and how small.
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

/// What a format is made to say: it narrows the kinds of page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Whatever the source says best.
    Any,
    /// Somebody's words.
    Quote,
    /// A figure.
    Stat,
    /// A customer's words.
    Testimonial,
    /// News, an offer, an event.
    Announcement,
    /// A title.
    Cover,
    /// Several points.
    Document,
}

/// How many pixels an image has. A new variant goes to the end: stored rows hold a variant's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Resolution {
    /// The long edge is 2048 pixels.
    #[default]
    #[serde(rename = "2K")]
    TwoK,
    /// Exactly twice that.
    #[serde(rename = "4K")]
    FourK,
    /// The platform's own pixel size.
    #[serde(rename = "exact")]
    Exact,
}

impl Resolution {
    /// Those that have a name on the wire.
    pub const NAMED: [Self; 2] = [Self::TwoK, Self::FourK];

    /// Its name on the wire: `2K` or `4K`. The platform's own size takes the place of `2K`; a flag of its own asks for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::TwoK | Self::Exact => "2K",
            Self::FourK => "4K",
        }
    }

    /// The resolution of a name on the wire.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|r| r.name() == name)
    }
}

impl Format {
    /// The catalogue, in the order of its categories.
    pub fn all() -> &'static [Self] {
        static CATALOGUE: OnceLock<Vec<Format>> = OnceLock::new();
        CATALOGUE.get_or_init(|| read(include_str!("../assets/formats.toml")).expect("the catalogue is tested"))
    }

    /// The format of an id string.
    pub fn by_id(id: &str) -> Option<&'static Self> {
        Self::all().iter().find(|f| f.key == id)
    }

    /// Width and height of an image in pixels: the platform's own, or a long edge of 2048 or 4096 and the short edge to the
    /// nearest even number, or twice that.
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

    /// Width and height of a page in a PDF, in points (1/72 inch): as large as it is on paper for what is printed, whose
    /// base pixels are 1/150 inch, and as large as it is on a screen for the rest, whose base pixels are 1/96 inch.
    pub fn size_points(&self) -> (f32, f32) {
        let dpi = if self.category == Category::Document { 150.0 } else { 96.0 };
        (self.width as f32 * 72.0 / dpi, self.height as f32 * 72.0 / dpi)
    }

    /// Width and height in design units: the short edge is 1080, whatever the resolution.
    pub fn size_du(&self) -> Size {
        let (w, h) = self.size(Resolution::TwoK);
        let k = SHORT_EDGE_DU / w.min(h) as f32;
        Size::new(w as f32 * k, h as f32 * k)
    }

    /// Where text and logos may stand, in design units.
    pub fn safe_rect_du(&self) -> Rect {
        let Size { w, h } = self.size_du();
        Rect::new(w * self.safe.left, h * self.safe.top, w * (1.0 - self.safe.right), h * (1.0 - self.safe.bottom))
    }

    /// Design units in one of the platform's own pixels.
    pub fn pixel_du(&self) -> f32 {
        SHORT_EDGE_DU / self.width.min(self.height) as f32
    }

    /// The smallest size in du that any text may have.
    pub fn smallest_size(&self) -> f32 {
        match self.density {
            Density::Banner => BANNER_PX.0 * self.pixel_du(),
            Density::Poster => (0.022 * self.size_du().w).max(24.0),
            Density::Slide => 20.0,
            Density::Document => 15.0,
        }
    }

    /// The smallest size in du that a page's own paragraphs may have.
    pub fn smallest_body(&self) -> f32 {
        match self.density {
            Density::Poster => self.smallest_note().max(36.0),
            Density::Banner => BANNER_PX.2 * self.pixel_du(),
            Density::Slide | Density::Document => self.smallest_note(),
        }
    }

    /// The smallest size in du that the sentences under the heads of items may have.
    pub fn smallest_note(&self) -> f32 {
        match self.density {
            Density::Banner => BANNER_PX.1 * self.pixel_du(),
            Density::Poster => 0.028 * self.size_du().w,
            Density::Slide => 28.0,
            Density::Document => 19.0,
        }
    }

    /// Its aspect ratio as people write it: the exact one where both terms are small (`4:5`), else to two decimals
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
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::limits;

    #[test]
    fn the_catalogue_is_whole() {
        let all = Format::all();
        assert_eq!(all.len(), 185);
        let ids: BTreeSet<&str> = all.iter().map(|f| f.id.as_str()).collect();
        assert_eq!(ids.len(), all.len(), "ids are unique");
        let per_category: Vec<usize> =
            (0..9).map(|c| all.iter().filter(|f| f.category as usize == c).count()).collect();
        assert_eq!(per_category, [62, 26, 32, 11, 25, 6, 7, 6, 10].to_vec());
        assert!(all.is_sorted_by_key(|f| f.category));
        for f in all {
            assert!(f.description.ends_with('.') && f.description.len() > 20, "{}", f.id);
            assert!(!f.name.is_empty() && !f.platform.is_empty(), "{}", f.id);
            assert_eq!(Format::by_id(f.id.as_str()), Some(f));
        }
        assert_eq!(Format::by_id("myspace_post"), None);
    }

    #[test]
    fn every_aspect_can_be_laid_out() {
        for f in Format::all() {
            let aspect = f.size_du().aspect();
            assert!((1.0 / 5.0..=11.0).contains(&aspect), "{}: {aspect}", f.id);
            assert!((f.size_du().short() - 1080.0).abs() < 1e-3, "{}", f.id);
            let safe = f.safe_rect_du();
            assert!(safe.w() > 300.0 && safe.h() > 300.0, "{}: {safe:?}", f.id);
            let Insets { top, right, bottom, left } = f.safe;
            assert!([top, right, bottom, left].iter().all(|side| (0.0..=0.6).contains(side)), "{}: {:?}", f.id, f.safe);
            assert!(top + bottom <= 0.75 && left + right <= 0.75, "{}: {:?}", f.id, f.safe);
        }
    }

    #[test]
    fn sizes_follow_the_rule() {
        for f in Format::all() {
            assert_eq!(f.size(Resolution::Exact), (f.width, f.height), "{}", f.id);
            assert!(f.width.max(f.height) <= limits::EDGE_PX && f.width.min(f.height) >= 50, "{}", f.id);
            let (w, h) = f.size(Resolution::TwoK);
            assert_eq!(w.max(h), 2048, "{}", f.id);
            assert_eq!(w.min(h) % 2, 0, "{}", f.id);
            let (long, short) = (f.width.max(f.height), f.width.min(f.height));
            let exact = 1024.0 * f64::from(short) / f64::from(long);
            assert_eq!(w.min(h), 2 * exact.round() as u32, "{}", f.id);
            assert_eq!(f.size(Resolution::FourK), (2 * w, 2 * h), "{}", f.id);
            assert!(f.size(Resolution::FourK).0 <= limits::EDGE_PX);
        }
        let size = |id: &str| Format::by_id(id).map(|f| f.size(Resolution::TwoK));
        assert_eq!(size("instagram_post"), Some((1638, 2048)));
        assert_eq!(size("linkedin_post"), Some((2048, 1070)));
        assert_eq!(size("podcast_cover"), Some((2048, 2048)));
        let exact = |id: &str| Format::by_id(id).map(|f| f.size(Resolution::Exact));
        assert_eq!(exact("ad_mpu"), Some((300, 250)));
        assert_eq!(exact("ad_leaderboard_728x90"), Some((728, 90)));
    }

    #[test]
    fn paragraphs_are_larger_than_notes_on_posters() {
        for f in Format::all() {
            let (least, note, body) = (f.smallest_size(), f.smallest_note(), f.smallest_body());
            assert!(least <= note && note <= body, "{}: {least} {note} {body}", f.id);
            assert!(f.density != Density::Poster || (note >= 30.0 && body >= 36.0), "{}: {note} {body}", f.id);
        }
    }

    #[test]
    fn the_smallest_text_can_be_read_at_the_platforms_own_size() {
        for f in Format::all() {
            let pixels = f.smallest_size() / f.pixel_du();
            assert!(pixels >= 9.5 - 1e-3, "{}: {pixels} px", f.id);
        }
    }

    #[test]
    fn slide_bounds_hold() {
        for f in Format::all() {
            assert_eq!(f.carousel, f.slides.is_some());
            if let Some(s) = f.slides {
                assert!(1 <= s.min && s.min <= s.default && s.default <= s.max && s.max <= limits::SLIDES, "{}", f.id);
            }
        }
        assert_eq!(Format::all().iter().filter(|f| f.carousel).count(), 17);
    }

    #[test]
    fn safe_areas() {
        let post = Format::by_id("instagram_post").unwrap();
        let safe = post.safe_rect_du();
        assert!((safe.x0 - 43.2).abs() < 0.1 && (safe.y0 - 43.2).abs() < 0.5, "{safe:?}");
        let cover = Format::by_id("facebook_cover").unwrap();
        let (safe, size) = (cover.safe_rect_du(), cover.size_du());
        assert!((safe.w() / size.w - 0.39).abs() < 1e-3 && (safe.h() / size.h - 0.5).abs() < 1e-3);
    }

    #[test]
    fn names_on_the_wire() {
        let id = Format::by_id("title_slide").unwrap().id;
        assert_eq!(serde_json::to_string(&id).unwrap(), "\"title_slide\"");
        assert_eq!(serde_json::from_str::<FormatId>("\"title_slide\"").unwrap(), id);
        assert!(serde_json::from_str::<FormatId>("\"nope\"").is_err());
        assert_eq!(Resolution::by_name("4K"), Some(Resolution::FourK));
        assert_eq!(serde_json::to_string(&Resolution::TwoK).unwrap(), "\"2K\"");
        let label = |id: &str| Format::by_id(id).unwrap().aspect_ratio_label();
        assert_eq!(label("instagram_post"), "4:5");
        assert_eq!(label("twitter_post"), "16:9");
        assert_eq!(label("linkedin_post"), "1.91:1");
        assert_eq!(label("linkedin_banner"), "4:1");
        assert_eq!(label("one_pager"), "1:1.41");
    }

    #[test]
    fn unknown_keys_are_refused() {
        let text = include_str!("../assets/formats.toml").replacen("\nplatform =", "\nplatfrom =", 1);
        assert!(read(&text).is_err());
    }
}
