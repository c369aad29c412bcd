//! Reading the body of a creation: every fault of it at once, or what to make.

use fleet::net::Guard;
use fleet::protocol::Wishes;
use render_core::content::Language;
use render_core::design::STYLE_NAMES;
use render_core::format::{Format, FormatId, Resolution};
use render_core::outline::RevisedPage;
use render_core::warning::{Warning, WarningCode};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::error::ApiError;
use super::form::{Form, INTEGER_MAX, UNKNOWN_FIELDS, nearest, whole};
use super::illustration::AskedImage;
use super::input::Input;
use crate::credits;
use crate::state::{Address, ImageFormat, PlannedOutput};

/// Formats of one generation.
const FORMATS: usize = 20;
/// Characters of a title, and of the tone.
const TITLE_CHARS: usize = 200;
/// Characters of the audience and of the goal.
const WISH_CHARS: usize = 300;
/// Slides of a carousel whose count the request leaves out, within the format's bounds.
pub(super) const DEFAULT_SLIDES: u32 = 5;

/// Every field that a creation may have.
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

/// Ceilings of a creation, and what the service can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ceilings {
    /// Characters of the text.
    pub text_chars: usize,
    /// Images of the generation.
    pub images: usize,
    /// Whether the settings name a language model, which develops ideas and translates.
    pub translates: bool,
}

/// What to make.
#[derive(Debug, Clone, PartialEq)]
pub struct Creation {
    /// What it is made of.
    pub input: Input,
    /// Pictures for its pages.
    pub images: Vec<AskedImage>,
    /// Format ids and, for carousels, the slide counts, in the request's order.
    pub formats: Vec<(String, Option<u32>)>,
    /// What the pages of some of these formats say, where the client has it.
    pub outline: Vec<(String, Vec<RevisedPage>)>,
    /// The generation whose edits are made again on its pages; it may not be there.
    pub edits_of: Option<Uuid>,
    /// Ids of the carousels whose slide count the request leaves out.
    pub defaulted: Vec<String>,
    /// The images to make, in order.
    pub outputs: Vec<PlannedOutput>,
    /// Title to use instead of the one found.
    pub title: Option<String>,
    /// Whose pages it makes: the id of a brand kit, which may not be there.
    pub brand: Option<Uuid>,
    /// Name of the style.
    pub style: Option<String>,
    /// BCP 47 tag of the language asked for.
    pub language: Option<String>,
    /// How large.
    pub resolution: Resolution,
    /// Encoded as what.
    pub image_format: ImageFormat,
    /// What the client says about the purpose of the pages.
    pub wishes: Wishes,
    /// Whether its words are set whole.
    pub exact: bool,
    /// Seed of everything drawn by chance; without one, the content's own.
    pub seed: Option<u64>,
    /// The most that it may cost.
    pub max_credits: Option<u64>,
    /// Where its end is told.
    pub webhook: Option<Address>,
    /// What the client should know.
    pub warnings: Vec<Warning>,
}

impl Creation {
    /// What it costs.
    pub fn cost(&self) -> u64 {
        self.outputs.iter().map(|o| o.cost).sum()
    }

    /// Whether pictures or an outline of its own are stored with its input.
    pub fn is_packed(&self) -> bool {
        !self.images.is_empty() || !self.outline.is_empty()
    }

    /// Gives a carousel another slide count.
    pub fn set_slides(&mut self, id: FormatId, slides: u32) {
        self.formats
            .iter_mut()
            .filter(|(format, _)| *format == id.as_str())
            .for_each(|(_, count)| *count = Some(slides));
        let formats = self.formats.iter().filter_map(|(id, slides)| Some((Format::by_id(id)?, *slides)));
        self.outputs = formats.flat_map(|(format, slides)| outputs(format, slides, self.resolution)).collect();
    }
}

/// Reads a body. `guard` judges URLs, as far as that needs nobody else.
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

/// Whether a body leaves the slide count of a format out that needs one.
fn defaulted(body: &Map<String, Value>, format: &Format) -> bool {
    let counts = body.get("carouselCounts").and_then(Value::as_object);
    format.carousel && counts.and_then(|c| c.get(format.id.as_str())).is_none_or(Value::is_null)
}

/// The images of a format: one, or one a slide.
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

    /// The slide count of a carousel.
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

    /// How large images are: `resolution` and `exactSize`.
    pub(super) fn resolution(&mut self) -> Resolution {
        let resolution = self.one_of("resolution", &Resolution::NAMED.map(Resolution::name));
        self.exact_size(resolution.map_or(Resolution::TwoK, |i| Resolution::NAMED[i]))
    }

    /// What images are encoded as.
    pub(super) fn image_format(&mut self) -> ImageFormat {
        let formats = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Webp];
        let format = self.one_of("imageFormat", &formats.map(ImageFormat::name));
        format.map_or(ImageFormat::Png, |i| formats[i])
    }

    /// The resolution, or the platform's own size where that is asked for.
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

    /// Wishes guide the language model: where it writes nothing they have no effect.
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
