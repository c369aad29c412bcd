//! What stands on the wire as one name of a list: each list as a schema of its own, made from what the code goes by.

use std::borrow::Cow;

use render_core::design::STYLE_NAMES;
use render_core::edit::Aspect;
use render_core::format::{Category, Format, Resolution as Size};
use render_core::outline::PageKind as Kind;
use render_core::warning::WarningCode as Code;
use serde_json::Value;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::super::illustration::PLACES;
use super::super::view::input_type;
use crate::accounts::Plan as AccountPlan;
use crate::state::{BundleKind, Event, ImageFormat as Encoding, InputType as Given, Status};

/// Every value of an enumeration; that none is missing is seen by the compiler.
macro_rules! every {
    ($type:ident: $($variant:ident),+ $(,)?) => {{
        #[allow(dead_code, reason = "it is there to be compiled: a variant that the list lacks is no pattern of it")]
        fn complete(value: $type) {
            match value {
                $($type::$variant => {})+
            }
        }
        [$($type::$variant),+]
    }};
}

/// Lists of names: `Type = what they are, the names`.
macro_rules! lists {
    ($($name:ident = $what:literal, $names:expr;)+) => {$(
        #[doc = $what]
        #[derive(Debug)]
        pub struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let names: Vec<Value> = $names.into_iter().map(Value::from).collect();
                let list = ObjectBuilder::new().schema_type(Type::String).description(Some($what));
                list.enum_values(Some(names)).into()
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                stringify!($name).into()
            }
        }
    )+};
}

lists! {
    GenerationStatus = "Where a generation stands: it goes from `pending` to `processing` and ends as `completed`, \
        `partial` (some outputs failed for good and are refunded), `failed` (all are refunded) or `cancelled`.",
        Status::ALL.map(Status::name);
    InputType = "What content is given as.",
        [Given::Text, Given::Url, Given::Pdf, Given::Idea].map(input_type);
    GivenType = "What content was given as; `pages` was given to `POST /api/pages/render`.",
        every!(Given: Text, Url, Pdf, Idea, Pages).map(input_type);
    VisualStyle = "A visual style.",
        STYLE_NAMES;
    Resolution = "How large images are: with `2K` the long edge has 2048 pixels, with `4K` twice that.",
        Size::NAMED.map(Size::name);
    ImageFormat = "What images are encoded as.",
        every!(Encoding: Png, Jpeg, Webp).map(Encoding::name);
    ImageType = "The media type of an image.",
        every!(Encoding: Png, Jpeg, Webp).map(|e| format!("image/{}", e.name()));
    ImageUse = "Where a picture may be shown: `cover` on covers and single images, `any` wherever the words suit it.",
        PLACES.map(|(name, _)| name);
    PageKind = "The part of a page in its set.",
        Kind::ALL.map(Kind::name);
    DesignAspect = "An aspect of an image's look that has designs to choose from.",
        Aspect::ALL.map(Aspect::name);
    Expansion = "What the generations of a list are shown with.",
        ["outputs", "quality"];
    ExportFormat = "What a file of a generation's images is: `pdf` has a page for each, `zip` holds them and `alt-texts.txt`.",
        every!(BundleKind: Pdf, Zip).map(BundleKind::name);
    LogoVariant = "The ground that a logo is for.",
        ["light", "dark"];
    FormatId = "Id of an output format, as `GET /api/formats` lists them.",
        Format::all().iter().map(|f| f.id.as_str());
    FormatCategory = "What a format is for.",
        every!(Category: Social, Marketing, Advertising, Presentation, Document, Infographic, Email, LandingPage, Store)
            .map(Category::name);
    Plan = "What an account pays for.",
        every!(AccountPlan: Free, Starter, Pro, Business).map(AccountPlan::name);
    WarningCode = "What a warning is about.",
        every!(Code: UnknownField, CountIgnored, ContentShortened, MissingGlyphs, TextShrunk, FewPoints, LanguageMismatch,
            CopyNotExpanded, CopywriterUnavailable, FontUnavailable, BrandContrastAdjusted, PhotoUnavailable,
            CarouselCountDefaulted, EditNotKept)
            .map(|code| serde_json::to_value(code).unwrap_or_default());
    WebhookEvent = "What a delivery tells.",
        Event::ALL.into_iter().chain([Event::Test]).map(Event::name);
    GenerationEvent = "What a subscription hears of.",
        Event::ALL.into_iter().map(Event::name);
    StreamEventName = "What happened.",
        ["progress", "output", "completed", "partial", "failed", "cancelled"];
    GenerationErrorCode = "Why a generation failed.",
        GENERATION_ERRORS;
    ErrorType = "The kind of an error.",
        super::faults::types();
    ErrorCode = "The exact cause of an error.",
        super::faults::codes();
    DetailCode = "The exact cause of a fault within a request.",
        DETAILS;
}

/// What a generation may end with.
pub const GENERATION_ERRORS: [&str; 22] = [
    "page_invalid",
    "no_content",
    "too_little_content",
    "content_too_long",
    "url_not_allowed",
    "url_fetch_failed",
    "url_too_large",
    "url_unsupported_type",
    "pdf_invalid",
    "pdf_encrypted",
    "pdf_no_text",
    "pdf_too_large",
    "pdf_too_complex",
    "file_invalid",
    "file_encrypted",
    "file_too_complex",
    "translation_unavailable",
    "render_failed",
    "storage_failed",
    "storage_damaged",
    "timed_out",
    "render_cancelled",
];

/// What may be wrong with a field of a request. An estimate finds what a generation would end with, too.
pub const DETAILS: [&str; 35] = [
    "page_invalid",
    "missing_field",
    "unsupported_field",
    "invalid_value",
    "unknown_format",
    "carousel_count_out_of_range",
    "content_empty",
    "content_too_long",
    "invalid_characters",
    "url_not_allowed",
    "unknown_language",
    "translation_unavailable",
    "too_many_outputs",
    "too_many_brands",
    "font_invalid",
    "too_many_fonts",
    "unknown_event",
    "too_many_webhooks",
    "too_many_versions",
    "no_content",
    "too_little_content",
    "url_fetch_failed",
    "url_too_large",
    "url_unsupported_type",
    "pdf_invalid",
    "pdf_encrypted",
    "pdf_no_text",
    "pdf_too_large",
    "pdf_too_complex",
    "file_invalid",
    "file_encrypted",
    "file_too_complex",
    "render_failed",
    "timed_out",
    "check_failed",
];

/// One warning: a code for programs and a sentence for people.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct Warning {
    /// What it is about.
    #[schema(value_type = WarningCode)]
    pub code: Code,
    /// What happened and what to do, in a sentence.
    #[schema(examples("The field \"titel\" is not known and was ignored. Did you mean title?"))]
    pub message: String,
    /// The format of the output that it is about; absent where it is about none in particular.
    #[schema(value_type = FormatId, required = false)]
    pub format_id: String,
    /// Which slide of its carousel that is, from 0; absent for a visual.
    #[schema(required = false)]
    pub slide_index: u32,
}

/// One event of a stream.
#[derive(Debug, ToSchema)]
pub struct StreamEvent {
    /// Its number: what `Last-Event-ID` names to go on after it.
    #[schema(examples("4"))]
    pub id: String,
    /// What happened.
    #[schema(value_type = StreamEventName)]
    pub event: String,
    /// JSON: of `progress` an object with `generationId`, `status`, `progress` and `stage`, of `output` an output, of the
    /// last one an object with the `generation`.
    #[schema(examples(
        "{\"generationId\":\"0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e90\",\"status\":\"processing\",\"progress\":60,\"stage\":\"rendering\"}"
    ))]
    pub data: String,
}
