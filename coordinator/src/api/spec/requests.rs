//! What bodies of requests may hold, for the document alone: they are read by hand, so that all faults are told at once.
//! Tests hold these fields equal to those that the readers know.
#![allow(dead_code, reason = "these types are read by the derive alone")]

use std::collections::BTreeMap;

use utoipa::ToSchema;
use uuid::Uuid;

use super::super::outline::{FormatOutline, OutlinePage};
use super::{examples, names};

/// What to make.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!(examples::creation_request())))]
pub struct CreationRequest {
    /// What the content is given as.
    #[schema(value_type = names::InputType)]
    input_type: String,
    /// For `text`: plain text or Markdown, 1 to 200,000 characters. For `idea`: what the pages are to be about, 1 to 2,000.
    #[schema(max_length = 200_000)]
    input_content: Option<String>,
    /// For `url`: the address of a public web page or file. For `pdf`: the same as `inputFileUrl`.
    #[schema(max_length = 2048, examples("https://acme.example/article"))]
    input_url: Option<String>,
    /// For `pdf`: the public address of a file. It may be a PDF, DOCX, PPTX, XLSX, ODT, ODP, ODS, EPUB, CSV, TSV, Markdown or
    /// plain text: its bytes tell. One of `inputFileUrl`, `inputUrl`, `fileId` and `inputFile` is sent.
    #[schema(max_length = 2048, examples("https://acme.example/report.pdf"))]
    input_file_url: Option<String>,
    /// For `pdf`: the file itself in base64, or a data URI of it, whose media type tells kinds of text apart; 25 MB at most. HTML
    /// is read, too.
    #[schema(examples("JVBERi0xLjcK…"))]
    input_file: Option<String>,
    /// For `pdf`: the id of an upload.
    #[schema(examples("0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e92"))]
    file_id: Option<String>,
    /// Pictures for the pages, beside those that the content shows.
    #[schema(max_items = 20)]
    images: Option<Vec<ImageRequest>>,
    /// The formats to make, each once.
    #[schema(value_type = Vec<names::FormatId>, min_items = 1, max_items = 20)]
    output_formats: Vec<String>,
    /// Slides of each carousel, by its format's id: every carousel needs its count, within the bounds that the formats say. A
    /// count for a format that is not asked for is ignored, with a warning.
    carousel_counts: Option<BTreeMap<String, u32>>,
    /// What the pages of some or all formats say, as an estimate tells it, changed at will. These words are set as they stand,
    /// nothing is shortened, and no language model is asked. The slide count of a carousel is that of its pages.
    outline: Option<Vec<FormatOutline>>,
    /// The brand kit whose pages these are.
    brand_id: Option<Uuid>,
    /// The style. Where none is named, it is the brand kit's; else a language model chooses what suits the content, and
    /// where there is none it is `modern`.
    #[schema(value_type = Option<names::VisualStyle>)]
    visual_style: Option<String>,
    /// The language of the pages: a two-letter code, a BCP 47 tag or an English name. Left out, it is what the
    /// content reads as. Content in another language is translated where the service has a language model.
    #[schema(examples("en"))]
    language: Option<String>,
    /// How large; `4K` is for paid plans. Left out, it is `2K`.
    #[schema(value_type = Option<names::Resolution>)]
    resolution: Option<String>,
    /// Images of the platform's own pixel size, as `sizes.exact` of the format says; with `4K` it is refused.
    #[schema(examples(false))]
    exact_size: Option<bool>,
    /// Instead of the title found.
    #[schema(min_length = 1, max_length = 200, examples("Sleep better"))]
    title: Option<String>,
    /// Who reads the pages. Guides the language model, as `goal` and `tone` do; without one the three have no effect and a
    /// warning says so.
    #[schema(min_length = 1, max_length = 300, examples("managers of small teams"))]
    audience: Option<String>,
    /// What the readers should know, feel or do afterwards.
    #[schema(min_length = 1, max_length = 300, examples("try one meeting-free morning a week"))]
    goal: Option<String>,
    /// How the pages speak, instead of the brand kit's tone.
    #[schema(min_length = 1, max_length = 200, examples("warm, plain"))]
    tone: Option<String>,
    /// All of the words as they stand, nothing shortened or written anew; more than the pages hold is `content_too_long`.
    #[schema(examples(false))]
    use_exact_content: Option<bool>,
    /// Seed of all that is drawn by chance: the same request and seed give the same pixels. Left out, it comes from the
    /// content.
    #[schema(maximum = 9007199254740991_i64, examples(42))]
    seed: Option<u64>,
    /// What images are encoded as. Left out, it is `png`.
    #[schema(value_type = Option<names::ImageFormat>)]
    image_format: Option<String>,
    /// Who is told how it ends: a public address, which is sent a signed POST.
    #[schema(format = "uri")]
    webhook_url: Option<String>,
    /// Refuse rather than spend more credits.
    #[schema(maximum = 9007199254740991_i64, examples(100))]
    max_credits: Option<u64>,
}

/// A picture for the pages of a generation: `url` or `uploadId`.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({"url": "https://acme.example/team.jpg", "alt": "The team at work", "use": "any"})))]
pub struct ImageRequest {
    /// Its public address. PNG, JPEG, WebP, GIF and AVIF are read, 10 MB at most.
    #[schema(max_length = 2048, examples("https://acme.example/team.jpg"))]
    url: Option<String>,
    /// The id of an upload.
    #[schema(examples("0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e92"))]
    upload_id: Option<String>,
    /// What it shows. It stands on the page whose words share the most with this, and in that page's alternative text.
    #[schema(max_length = 300, examples("The team at work"))]
    alt: Option<String>,
    /// Where it may be shown; `any` where left out.
    #[schema(value_type = Option<names::ImageUse>)]
    r#use: Option<String>,
}

/// What makes images a brand's own. All but `name` may be left out, and is then the style's to decide.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!(examples::brand_request())))]
pub struct BrandRequest {
    /// What the brand is called.
    #[schema(min_length = 1, max_length = 100, examples("Acme"))]
    name: String,
    /// Preselects the kit where people choose. An account has one default: setting it takes it from another.
    #[schema(examples(false))]
    is_default: Option<bool>,
    /// Its colours.
    colors: Option<BrandColorsRequest>,
    /// Its typefaces, by families that `GET /api/fonts` lists.
    fonts: Option<BrandFontsRequest>,
    /// How the brand speaks, for the language model where one writes.
    #[schema(min_length = 1, max_length = 300, examples("warm, plain"))]
    tone: Option<String>,
    /// Its name on social networks, one word.
    #[schema(min_length = 1, max_length = 60, examples("@acme"))]
    handle: Option<String>,
    /// The address of its site; it is shown, never fetched.
    #[schema(min_length = 1, max_length = 200, examples("https://acme.example"))]
    url: Option<String>,
    /// The style of its generations that name none.
    #[schema(value_type = Option<names::VisualStyle>)]
    visual_style: Option<String>,
    /// Whether pages are signed at their foot; `true` where left out.
    #[schema(examples(true))]
    footer: Option<bool>,
    /// Passed over, so that a kit can be sent back as it was read.
    #[schema(required = false, value_type = Value)]
    id: Option<String>,
    /// Sent as `null` it takes the logo for light grounds away; all else is passed over.
    #[schema(required = false, value_type = Value)]
    logo_url: Option<String>,
    /// Sent as `null` it takes the logo for dark grounds away; all else is passed over.
    #[schema(required = false, value_type = Value)]
    logo_dark_url: Option<String>,
    /// Passed over, so that a kit can be sent back as it was read.
    #[schema(required = false, value_type = Value)]
    created_at: Option<String>,
    /// Passed over, so that a kit can be sent back as it was read.
    #[schema(required = false, value_type = Value)]
    updated_at: Option<String>,
}

/// Colours of a brand.
#[derive(ToSchema)]
pub struct BrandColorsRequest {
    /// The brand's own colour.
    #[schema(pattern = "^#[0-9A-Fa-f]{6}$", examples("#0a5f38"))]
    primary: Option<String>,
    /// The colour beside it.
    #[schema(pattern = "^#[0-9A-Fa-f]{6}$")]
    secondary: Option<String>,
    /// The colour of what is to be seen first.
    #[schema(pattern = "^#[0-9A-Fa-f]{6}$", examples("#ff7a00"))]
    accent: Option<String>,
    /// The ground of pages.
    #[schema(pattern = "^#[0-9A-Fa-f]{6}$")]
    background: Option<String>,
    /// The colour of text.
    #[schema(pattern = "^#[0-9A-Fa-f]{6}$")]
    text: Option<String>,
}

/// Typefaces of a brand, by their families and in any case.
#[derive(ToSchema)]
pub struct BrandFontsRequest {
    /// Of headings.
    #[schema(examples("Instrument Serif"))]
    heading: Option<String>,
    /// Of all other text.
    #[schema(examples("Inter Tight"))]
    body: Option<String>,
}

/// Who is told how the account's generations end.
#[derive(ToSchema)]
#[schema(examples(json!(examples::webhook_request())))]
pub struct WebhookRequest {
    /// The public address that is sent a signed POST.
    #[schema(max_length = 2048, examples("https://hooks.acme.example/vivid"))]
    url: String,
    /// The events that it hears of; all of them where this is left out.
    #[schema(value_type = Option<Vec<names::GenerationEvent>>, min_items = 1)]
    events: Option<Vec<String>>,
}

/// What is to change on an image, or what is confirmed.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!(examples::edit_request()), json!(examples::edit_confirmation())))]
pub struct EditRequest {
    /// The image: an `outputId` of a generation.
    #[schema(value_type = String, examples("0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e91"))]
    output_id: String,
    /// What is to change, in your own words; "on all slides …" for every slide of its carousel.
    #[schema(min_length = 1, max_length = 2000, examples("Make the headline a bit bigger"))]
    prompt: String,
    /// To have it done: the `refinedInstruction` of the first answer, as it was.
    #[schema(max_length = 100_000, examples("On version 1: set the headline size to 150 (was 120)"))]
    confirmed_instruction: Option<String>,
}

/// What a generation is to be called.
#[derive(ToSchema)]
#[schema(examples(json!({"title": "Sleep better"})))]
pub struct RenameRequest {
    /// Its title; `null` brings back the one that was found.
    #[schema(required, min_length = 1, max_length = 200)]
    title: Option<String>,
}

/// What is to change of a subscription. What is left out stays as it is.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({"events": ["generation.completed", "generation.failed"]})))]
pub struct WebhookChangeRequest {
    /// Where its deliveries go.
    #[schema(format = "uri")]
    url: Option<String>,
    /// The events that it hears of.
    #[schema(value_type = Option<Vec<names::GenerationEvent>>, min_items = 1)]
    events: Option<Vec<String>>,
    /// Whether deliveries are made.
    #[schema(examples(true))]
    active: Option<bool>,
}

/// How a secret is replaced.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({"overlapHours": 24})))]
pub struct RotationRequest {
    /// Hours for which deliveries are signed with the old secret too; 24 where left out.
    #[schema(maximum = 168, default = 24)]
    overlap_hours: Option<u32>,
}

/// Which language a generation is made in anew.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({"language": "es"})))]
pub struct LocalizeRequest {
    /// The language: a two-letter code, a BCP 47 tag or an English name.
    #[schema(examples("es"))]
    language: String,
    /// The outputs to use, by their ids. Left out, all of the generation's.
    #[schema(min_items = 1)]
    output_ids: Option<Vec<Uuid>>,
    /// Refuse rather than spend more credits.
    #[schema(maximum = 9007199254740991_i64, examples(100))]
    max_credits: Option<u64>,
}

/// Pages in the page language, and what they are rendered with.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!(examples::pages_request())))]
pub struct PagesRequest {
    /// One or several `<page>` elements; in a carousel's format they are its slides.
    #[schema(max_length = 262_144)]
    pages: String,
    /// The format of every page.
    #[schema(value_type = names::FormatId)]
    format: String,
    /// The style; where none is named the brand kit's, else `modern`.
    #[schema(value_type = Option<names::VisualStyle>)]
    visual_style: Option<String>,
    /// The brand kit whose pages these are.
    brand_id: Option<Uuid>,
    /// The language of the words: a two-letter code, a BCP 47 tag or an English name. Left out, it is found in the words.
    #[schema(examples("en"))]
    language: Option<String>,
    /// What the generation is called; left out, what its first page says.
    #[schema(min_length = 1, max_length = 200, examples("Sleep better"))]
    title: Option<String>,
    /// How large; `4K` is for paid plans. Left out, it is `2K`.
    #[schema(value_type = Option<names::Resolution>)]
    resolution: Option<String>,
    /// Images of the platform's own pixel size, as `sizes.exact` of the format says; with `4K` it is refused.
    #[schema(examples(false))]
    exact_size: Option<bool>,
    /// What the images are encoded as. Left out, it is `png`.
    #[schema(value_type = Option<names::ImageFormat>)]
    image_format: Option<String>,
    /// Which colour scheme and faces of the style; the same seed gives the same ones. Left out, it follows from the pages.
    #[schema(maximum = 9007199254740991_i64, examples(42))]
    seed: Option<u64>,
    /// Refuse rather than spend more credits.
    #[schema(maximum = 9007199254740991_i64, examples(100))]
    max_credits: Option<u64>,
    /// Find the faults of the pages, render nothing and charge nothing.
    #[schema(examples(false))]
    dry_run: Option<bool>,
}

/// How many variations of a generation are made.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({"count": 3})))]
pub struct VariationRequest {
    /// How many variations of each output.
    #[schema(minimum = 1, maximum = 10, examples(3))]
    count: u32,
    /// The outputs to use, by their ids. Left out, all of the generation's.
    #[schema(min_items = 1)]
    output_ids: Option<Vec<Uuid>>,
    /// Refuse rather than spend more credits.
    #[schema(maximum = 9007199254740991_i64, examples(100))]
    max_credits: Option<u64>,
    /// Which variations: the same seed gives the same ones. Left out, it is drawn at random, so that every request gives
    /// others.
    #[schema(maximum = 9007199254740991_i64, examples(42))]
    seed: Option<u64>,
}

/// A generation, and which language it is made in anew.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({
    "referenceGenerationId": "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e90",
    "language": "es",
})))]
pub struct LocalizeByReferenceRequest {
    /// The generation.
    reference_generation_id: Uuid,
    /// The language: a two-letter code, a BCP 47 tag or an English name.
    #[schema(examples("es"))]
    language: String,
    /// The outputs to use, by their ids. Left out, all of the generation's.
    #[schema(min_items = 1)]
    output_ids: Option<Vec<Uuid>>,
    /// Refuse rather than spend more credits.
    #[schema(maximum = 9007199254740991_i64, examples(100))]
    max_credits: Option<u64>,
}

/// A generation, and how many variations of it are made.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({
    "referenceGenerationId": "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e90",
    "count": 3,
})))]
pub struct VariationByReferenceRequest {
    /// The generation.
    reference_generation_id: Uuid,
    /// How many variations of each output.
    #[schema(minimum = 1, maximum = 10, examples(3))]
    count: u32,
    /// The outputs to use, by their ids. Left out, all of the generation's.
    #[schema(min_items = 1)]
    output_ids: Option<Vec<Uuid>>,
    /// Refuse rather than spend more credits.
    #[schema(maximum = 9007199254740991_i64, examples(100))]
    max_credits: Option<u64>,
    /// Which variations: the same seed gives the same ones. Left out, it is drawn at random.
    #[schema(maximum = 9007199254740991_i64, examples(42))]
    seed: Option<u64>,
}

/// A page that takes the place of an image's.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!(examples::page_text_request())))]
pub struct ImagePageRequest {
    /// The page in the page language, whole: with its head and foot.
    #[schema(max_length = 262_144)]
    page: String,
    /// The version that was changed; any other is refused. The current one where this is left out.
    #[schema(minimum = 1)]
    version: Option<u32>,
}

/// The slides that a carousel is to have.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!(examples::slides_request())))]
pub struct SlidesRequest {
    /// Every slide, in order.
    #[schema(min_items = 1, max_items = 100)]
    slides: Vec<SlideRequest>,
    /// Only say what it would take.
    #[schema(default = false)]
    dry_run: Option<bool>,
}

/// A slide: one that the carousel has or had, or a new one in the look of such a slide.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({"outputId": examples::OUTPUT})))]
pub struct SlideRequest {
    /// The id of a slide of the carousel; a slide is listed once.
    output_id: Option<Uuid>,
    /// The id of a slide of the carousel, of which a copy is added.
    copy_of: Option<Uuid>,
    /// What the slide is to say in place of the words of the slide that is named.
    page: Option<OutlinePage>,
}

/// Which version is to come back.
#[derive(ToSchema)]
pub struct RestoreRequest {
    /// Its number.
    #[schema(minimum = 1, examples(1))]
    version: u32,
}

/// A file, in a part of this name.
#[derive(ToSchema)]
pub struct UploadRequest {
    /// The file; other parts are passed over.
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream")]
    file: Vec<u8>,
}
