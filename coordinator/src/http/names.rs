//! Enumerations on the wire. Each is a schema of its own, built from the names that the code uses.

use fleet::illustrated::ImagePlace;
use fleet::protocol::FailureCode;
use render_core::design::STYLE_NAMES;
use render_core::edit::Aspect;
use render_core::format::{Category, Format, Resolution as Size};
use render_core::outline::PageKind as Kind;
use render_core::warning::WarningCode as Code;
use utoipa::ToSchema;

use crate::accounts::Plan as AccountPlan;
use crate::http::error::codes;
use crate::state::{BundleKind, Event, ImageFormat as Encoding, InputType as Given, Status};

/// Lists every value of an enumeration. A missing value is a compile error.
macro_rules! every {
    ($type:ident: $($variant:ident),+ $(,)?) => {{
        #[allow(dead_code, reason = "never called: it fails to compile if the list lacks a variant")]
        fn complete(value: $type) {
            match value {
                $($type::$variant => {})+
            }
        }
        [$($type::$variant),+]
    }};
}

/// Defines enumerations: `Type = description, names`.
macro_rules! lists {
    ($($name:ident = $what:literal, $names:expr;)+) => {$(
        #[doc = $what]
        #[derive(Debug)]
        pub struct $name;

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                let names: Vec<serde_json::Value> = $names.into_iter().map(serde_json::Value::from).collect();
                let list = utoipa::openapi::schema::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .description(Some($what));
                list.enum_values(Some(names)).into()
            }
        }

        impl utoipa::ToSchema for $name {
            fn name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
        }
    )+};
}

lists! {
    GenerationStatus = "The status of a generation: it goes from `pending` to `processing` and ends as `completed`, \
        `partial` (some outputs failed permanently and are refunded), `failed` (all are refunded) or `cancelled`.",
        Status::ALL.map(Status::name);
    InputType = "The kind of input.",
        [Given::Text, Given::Url, Given::Pdf, Given::Idea].map(input_type);
    GivenType = "The kind of input that a generation was made from; `pages` means `POST /api/pages/render`.",
        every!(Given: Text, Url, Pdf, Idea, Pages).map(input_type);
    VisualStyle = "A visual style.",
        STYLE_NAMES;
    Resolution = "The image size: with `2K` the long edge has 2048 pixels, with `4K` 4096.",
        Size::NAMED.map(Size::name);
    ImageFormat = "The encoding of an image.",
        every!(Encoding: Png, Jpeg, Webp).map(Encoding::name);
    ImageType = "The media type of an image.",
        every!(Encoding: Png, Jpeg, Webp).map(|e| format!("image/{}", e.name()));
    ImageUse = "Where a picture may be used: `cover` only on covers and single images, `any` on any page whose text matches.",
        IMAGE_USES.map(|(name, _)| name);
    PageKind = "The role of a page in its set.",
        Kind::ALL.map(Kind::name);
    DesignAspect = "An aspect of an image's design that can be varied.",
        Aspect::ALL.map(Aspect::name);
    Expansion = "Additional data to include for each generation in a list.",
        ["outputs", "quality"];
    ExportFormat = "The type of an export: `pdf` has one page per image, `zip` contains the images and `alt-texts.txt`.",
        every!(BundleKind: Pdf, Zip).map(BundleKind::name);
    LogoVariant = "The background that a logo is for.",
        ["light", "dark"];
    FormatId = "The id of an output format; `GET /api/formats` lists them.",
        Format::all().iter().map(|f| f.id.as_str());
    FormatCategory = "The category of a format.",
        every!(Category: Social, Marketing, Advertising, Presentation, Document, Infographic, Email, LandingPage, Store)
            .map(Category::name);
    Plan = "The plan of an account.",
        every!(AccountPlan: Free, Starter, Pro, Business).map(AccountPlan::name);
    WarningCode = "The cause of a warning.",
        every!(Code: UnknownField, CountIgnored, ContentShortened, MissingGlyphs, TextShrunk, FewPoints, LanguageMismatch,
            CopyNotExpanded, CopywriterUnavailable, FontUnavailable, BrandContrastAdjusted, PhotoUnavailable,
            CarouselCountDefaulted, EditNotKept)
            .map(|code| serde_json::to_value(code).unwrap_or_default());
    WebhookEvent = "The event that a delivery reports.",
        Event::ALL.into_iter().chain([Event::Test]).map(Event::name);
    GenerationEvent = "An event that a subscription can receive.",
        Event::ALL.into_iter().map(Event::name);
    StreamEventName = "The name of a stream event.",
        ["progress", "output", "completed", "partial", "failed", "cancelled"];
    GenerationErrorCode = "Why a generation failed.",
        FailureCode::of_generations().map(FailureCode::name);
    ErrorType = "The type of an error.",
        codes::types();
    ErrorCode = "The exact cause of an error.",
        codes::client_codes();
    DetailCode = "The exact cause of a fault within a request.",
        codes::DETAILS;
}

/// The values of `use` of a picture.
pub const IMAGE_USES: [(&str, ImagePlace); 2] = [("any", ImagePlace::Any), ("cover", ImagePlace::Cover)];

/// Returns the name of a kind of input.
pub fn input_type(input_type: Given) -> &'static str {
    match input_type {
        Given::Text => "text",
        Given::Url => "url",
        Given::Idea => "idea",
        Given::Pdf => "pdf",
        Given::Pages => "pages",
    }
}

/// A warning: a code for programs and a message for people.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct Warning {
    /// What it is about.
    #[schema(value_type = WarningCode)]
    pub code: Code,
    /// What happened and what to do about it, in a sentence.
    #[schema(examples("The field \"titel\" is not known and was ignored. Did you mean title?"))]
    pub message: String,
    /// The format of the output that the warning is about. Absent if it is about no single output.
    #[schema(value_type = FormatId, required = false)]
    pub format_id: String,
    /// The slide that the warning is about, from 0. Absent for a visual.
    #[schema(required = false)]
    pub slide_index: u32,
}

/// One event of a stream.
#[derive(Debug, ToSchema)]
pub struct StreamEvent {
    /// The number of the event. To resume after it, send it as `Last-Event-ID`.
    #[schema(examples("4"))]
    pub id: String,
    /// The name of the event.
    #[schema(value_type = StreamEventName)]
    pub event: String,
    /// JSON. For `progress`, an object with `generationId`, `status`, `progress` and `stage`; for `output`, an output;
    /// for the last event, an object with the `generation`.
    #[schema(examples(
        "{\"generationId\":\"0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e90\",\"status\":\"processing\",\"progress\":60,\"stage\":\"rendering\"}"
    ))]
    pub data: String,
}
