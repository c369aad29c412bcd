//! Parses the request body of a creation. Reports all its faults at once, or returns what to make.

use fleet::net::Guard;
use fleet::protocol::Wishes;
use render_core::content::Language;
use render_core::design::STYLE_NAMES;
use render_core::format::{Format, FormatId, Resolution};
use render_core::outline::RevisedPage;
use render_core::warning::{Warning, WarningCode};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::asked_image::AskedImage;
use super::input::Input;
use crate::app::Ceilings;
use crate::credits;
use crate::http::error::ApiError;
use crate::http::form::{Form, INTEGER_MAX, UNKNOWN_FIELDS, nearest, whole};
use crate::state::{Address, ImageFormat, PlannedOutput};

/// The most formats of one generation.
const FORMATS: usize = 20;
/// The most characters of the title and of the tone.
const TITLE_CHARS: usize = 200;
/// The most characters of the audience and of the goal.
const WISH_CHARS: usize = 300;
/// The default slide count of a carousel, clamped to the format's bounds.
pub(super) const DEFAULT_SLIDES: u32 = 5;

/// Every field that a creation request may have.
pub(super) const FIELDS: [&str; 25] = [
    "inputType",
    "inputContent",
    "inputUrl",
    "inputFileUrl",
    "inputFile",
    "fileId",
    "images",
    "outputFormats",
    "carouselCounts",
    "outline",
    "editsOf",
    "brandId",
    "visualStyle",
    "language",
    "resolution",
    "exactSize",
    "title",
    "audience",
    "goal",
    "tone",
    "useExactContent",
    "seed",
    "imageFormat",
    "webhookUrl",
    "maxCredits",
];

/// A parsed creation request.
#[derive(Debug, Clone, PartialEq)]
pub struct Creation {
    /// The input.
    pub input: Input,
    /// Pictures for its pages.
    pub images: Vec<AskedImage>,
    /// Format ids and, for carousels, the slide counts, in the request's order.
    pub formats: Vec<(String, Option<u32>)>,
    /// The page content of some of these formats, if the client sends an outline.
    pub outline: Vec<(String, Vec<RevisedPage>)>,
    /// The generation whose edits are repeated on the new pages. Its existence is not checked yet.
    pub edits_of: Option<Uuid>,
    /// Ids of the carousels whose slide count the request omits.
    pub defaulted: Vec<String>,
    /// The images to make, in order.
    pub outputs: Vec<PlannedOutput>,
    /// A title that overrides the title found in the input.
    pub title: Option<String>,
    /// The id of a brand kit. Its existence is not checked yet.
    pub brand: Option<Uuid>,
    /// Name of the style.
    pub style: Option<String>,
    /// BCP 47 tag of the requested language.
    pub language: Option<String>,
    /// The resolution of the images.
    pub resolution: Resolution,
    /// The encoding of the images.
    pub image_format: ImageFormat,
    /// The audience, goal and tone that the client requests.
    pub wishes: Wishes,
    /// Whether the pages use the input's exact words.
    pub exact: bool,
    /// The random seed. Without one, the seed is derived from the content.
    pub seed: Option<u64>,
    /// The most credits that it may cost.
    pub max_credits: Option<u64>,
    /// The webhook to call when the generation ends.
    pub webhook: Option<Address>,
    /// Warnings for the client.
    pub warnings: Vec<Warning>,
}

impl Creation {
    /// Returns its cost in credits.
    pub fn cost(&self) -> u64 {
        self.outputs.iter().map(|o| o.cost).sum()
    }

    /// Returns whether pictures or an outline must be packed with its input.
    pub fn is_packed(&self) -> bool {
        !self.images.is_empty() || !self.outline.is_empty()
    }

    /// Sets the slide count of a carousel and recomputes the outputs.
    pub fn set_slides(&mut self, id: FormatId, slides: u32) {
        self.formats
            .iter_mut()
            .filter(|(format, _)| *format == id.as_str())
            .for_each(|(_, count)| *count = Some(slides));
        let formats = self.formats.iter().filter_map(|(id, slides)| Some((Format::by_id(id)?, *slides)));
        self.outputs = formats.flat_map(|(format, slides)| outputs(format, slides, self.resolution)).collect();
    }
}

/// Parses a request body. `guard` checks URLs as far as this is possible without network access.
///
/// # Errors
/// [`ApiError::Invalid`] with every fault.
pub fn read(body: &Map<String, Value>, ceilings: Ceilings, guard: &Guard) -> Result<Creation, ApiError> {
    let mut form = Form::new(body);
    form.warn_of_unknown("", body, &FIELDS);
    form.refuse_workspace();
    let input = form.input(ceilings.text_chars, guard);
    let pictures = form.images(guard);
    let mut formats = form.formats();
    let outline = form.outline(&mut formats);
    let edits_of = form.edits_of();
    form.warn_of_ignored_counts(&formats);
    let webhook = form.receiver("webhookUrl", guard);
    let title = form.title();
    let brand = form.brand();
    let style = form.one_of("visualStyle", &STYLE_NAMES).map(|i| STYLE_NAMES[i].to_owned());
    let language = form.language();
    let exact = form.boolean("useExactContent").unwrap_or(false);
    let wishes = form.wishes();
    form.warn_of_wishes(&wishes, (exact, !outline.is_empty()), ceilings.translates);
    let resolution = form.resolution();
    let image_format = form.image_format();
    let seed = form.integer("seed", INTEGER_MAX);
    let max_credits = form.integer("maxCredits", INTEGER_MAX);

    let images: u64 = formats.iter().map(|(_, slides)| u64::from(slides.unwrap_or(1))).sum();
    if images > ceilings.images as u64 {
        let message = format!("This asks for {images} images; at most {} are made at once.", ceilings.images);
        form.fault("outputFormats", "too_many_outputs", message);
    }
    let (faults, warnings) = form.end();
    let Some(input) = input.filter(|_| faults.is_empty()) else { return Err(ApiError::Invalid(faults)) };
    Ok(Creation {
        seed,
        wishes,
        exact,
        outputs: formats.iter().flat_map(|(format, slides)| outputs(format, *slides, resolution)).collect(),
        defaulted: formats
            .iter()
            .filter(|(format, _)| defaulted(body, format) && outline.iter().all(|(id, _)| *id != *format.id.as_str()))
            .map(|(f, _)| f.id.to_string())
            .collect(),
        formats: formats.iter().map(|(format, slides)| (format.id.to_string(), *slides)).collect(),
        input,
        images: pictures,
        outline,
        edits_of,
        title,
        brand,
        style,
        language: language.map(|l| l.code().to_owned()),
        resolution,
        image_format,
        max_credits,
        webhook,
        warnings,
    })
}

/// Returns whether a body has no slide count for a carousel format.
fn defaulted(body: &Map<String, Value>, format: &Format) -> bool {
    let counts = body.get("carouselCounts").and_then(Value::as_object);
    format.carousel && counts.and_then(|c| c.get(format.id.as_str())).is_none_or(Value::is_null)
}

/// Returns the images of a format: one, or one per slide.
fn outputs(format: &Format, slides: Option<u32>, resolution: Resolution) -> Vec<PlannedOutput> {
    let (width, height) = format.size(resolution);
    let output = |slide: Option<u32>| PlannedOutput {
        format: format.id.to_string(),
        slide,
        width,
        height,
        cost: credits::cost(slide.is_some()),
    };
    match slides {
        Some(n) => (0..n).map(|slide| output(Some(slide))).collect(),
        None => vec![output(None)],
    }
}

impl<'a> Form<'a> {
    fn formats(&mut self) -> Vec<(&'static Format, Option<u32>)> {
        const FIELD: &str = "outputFormats";
        let Some(value) = self.get(FIELD) else {
            self.fault(FIELD, "missing_field", "Name the formats to make in outputFormats.");
            return Vec::new();
        };
        let Some(items) = value.as_array() else {
            self.fault(FIELD, "invalid_value", "outputFormats must be a list of format ids.");
            return Vec::new();
        };
        if items.is_empty() || items.len() > FORMATS {
            self.fault(FIELD, "invalid_value", format!("outputFormats must name from 1 to {FORMATS} formats."));
        }
        let counts = self.counts();
        let mut formats: Vec<(&'static Format, Option<u32>)> = Vec::new();
        for (place, item) in items.iter().take(FORMATS).enumerate() {
            let field = format!("{FIELD}[{place}]");
            let Some(id) = item.as_str() else {
                self.fault(field, "invalid_value", "A format id is a string.");
                continue;
            };
            let Some(format) = Format::by_id(id) else {
                let shown: String = id.chars().take(60).collect();
                let ids = Format::all().iter().map(|f| f.id.as_str());
                let hint = nearest(id, ids).map(|n| format!(" Did you mean {n}?")).unwrap_or_default();
                self.fault(field, "unknown_format", format!("There is no format {shown:?}.{hint}"));
                continue;
            };
            if formats.iter().any(|(f, _)| f.id == format.id) {
                self.fault(field, "invalid_value", format!("{id} is named twice."));
                continue;
            }
            let slides = format.carousel.then(|| self.slides(format, counts));
            formats.push((format, slides.flatten()));
        }
        formats
    }

    fn counts(&mut self) -> Option<&'a Map<String, Value>> {
        let value = self.get("carouselCounts")?;
        if !value.is_object() {
            self.fault("carouselCounts", "invalid_value", "carouselCounts must map format ids to slide counts.");
        }
        value.as_object()
    }

    /// Parses the slide count of a carousel.
    fn slides(&mut self, format: &Format, counts: Option<&Map<String, Value>>) -> Option<u32> {
        let field = format!("carouselCounts.{}", format.id);
        let bounds = format.slides?;
        let (min, max) = (bounds.min, bounds.max);
        let Some(count) = counts.and_then(|c| c.get(format.id.as_str())).filter(|v| !v.is_null()) else {
            return Some(DEFAULT_SLIDES.clamp(min, max));
        };
        let range = u64::from(min)..=u64::from(max);
        if !count.is_number() || count.as_f64().is_some_and(|n| n.fract() != 0.0) {
            self.fault(field, "invalid_value", "A slide count is a whole number.");
            return None;
        }
        let slides = whole(count).filter(|n| range.contains(n)).and_then(|n| u32::try_from(n).ok());
        if slides.is_none() {
            let message = format!("{} has from {min} to {max} slides.", format.id);
            self.fault(field, "carousel_count_out_of_range", message);
        }
        slides
    }

    /// Parses the image resolution from `resolution` and `exactSize`.
    pub(super) fn resolution(&mut self) -> Resolution {
        let resolution = self.one_of("resolution", &Resolution::NAMED.map(Resolution::name));
        self.exact_size(resolution.map_or(Resolution::TwoK, |i| Resolution::NAMED[i]))
    }

    /// Parses the image encoding.
    pub(super) fn image_format(&mut self) -> ImageFormat {
        let formats = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Webp];
        let format = self.one_of("imageFormat", &formats.map(ImageFormat::name));
        format.map_or(ImageFormat::Png, |i| formats[i])
    }

    /// Returns the resolution, or the platform's own size if `exactSize` is set.
    fn exact_size(&mut self, resolution: Resolution) -> Resolution {
        const FIELD: &str = "exactSize";
        match (self.boolean(FIELD).unwrap_or(false), resolution) {
            (false, _) => resolution,
            (true, Resolution::FourK) => {
                let message = "exactSize makes images of the platform's own pixel size, which 4K can't have. \
                               Leave exactSize or resolution out.";
                self.fault(FIELD, "invalid_value", message);
                resolution
            }
            (true, Resolution::TwoK | Resolution::Exact) => Resolution::Exact,
        }
    }

    pub(super) fn title(&mut self) -> Option<String> {
        self.line("title", TITLE_CHARS).map(str::to_owned)
    }

    fn wishes(&mut self) -> Wishes {
        let mut wish = |field, chars| self.line(field, chars).map(str::to_owned);
        Wishes {
            audience: wish("audience", WISH_CHARS),
            goal: wish("goal", WISH_CHARS),
            tone: wish("tone", TITLE_CHARS),
        }
    }

    /// Warns if audience, goal and tone have no effect because no language model writes the text.
    fn warn_of_wishes(&mut self, wishes: &Wishes, (exact, outlined): (bool, bool), writes: bool) {
        let why = match (exact, outlined, writes) {
            _ if wishes.is_empty() => return,
            (false, false, true) => return,
            (true, ..) => "with useExactContent it writes nothing",
            (false, true, _) => "with outline it writes nothing",
            (false, false, false) => "none is configured here",
        };
        let message = format!("audience, goal and tone guide the language model; {why}, so they have no effect.");
        self.warnings.push(Warning::new(WarningCode::CopywriterUnavailable, message));
    }

    pub(super) fn language(&mut self) -> Option<Language> {
        let name = self.string("language")?;
        match Language::parse(name) {
            Ok(language) => Some(language),
            Err(_) => {
                let shown: String = name.chars().take(40).collect();
                let message = format!("{shown:?} is no language; send a code such as en or zh-TW, or an English name.");
                self.fault("language", "unknown_language", message);
                None
            }
        }
    }

    pub(super) fn brand(&mut self) -> Option<Uuid> {
        let id = self.string("brandId")?.parse().ok();
        if id.is_none() {
            self.fault("brandId", "invalid_value", "brandId must be the id of a brand kit, a UUID.");
        }
        id
    }

    fn warn_of_ignored_counts(&mut self, formats: &[(&Format, Option<u32>)]) {
        let Some(counts) = self.get("carouselCounts").and_then(Value::as_object) else { return };
        let used = |id: &str| formats.iter().any(|(f, _)| f.carousel && f.id.as_str() == id);
        for id in counts.keys().filter(|id| !used(id)).take(UNKNOWN_FIELDS) {
            let shown: String = id.chars().take(60).collect();
            let message =
                format!("carouselCounts names {shown:?}, which is no carousel of outputFormats; it was ignored.");
            self.warnings.push(Warning::new(WarningCode::CountIgnored, message));
        }
    }
}

#[cfg(test)]
#[path = "creation_tests.rs"]
mod tests;
