//! Schemas of request bodies, for the OpenAPI document only. Bodies are parsed by hand, so that one response reports
//! all faults. Tests check that these fields match the fields that the parsers accept.
#![allow(dead_code, reason = "only the derive macros read these types")]

use std::collections::BTreeMap;

use utoipa::ToSchema;
use uuid::Uuid;

use super::super::outline::{FormatOutline, OutlinePage};
use super::{examples, page_examples};
use crate::http::names;

/// A request to create a generation.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!(examples::creation_request())))]
pub struct CreationRequest {
    /// The kind of input.
    #[schema(value_type = names::InputType)]
    input_type: String,
    /// For `text`: plain text or Markdown, 1 to 200,000 characters. For `idea`: what the pages should be about, 1 to
    /// 2,000 characters.
    #[schema(max_length = 200_000)]
    input_content: Option<String>,
    /// For `url`: the address of a public web page or file. For `pdf`: the same as `inputFileUrl`.
    #[schema(max_length = 2048, examples("https://acme.example/article"))]
    input_url: Option<String>,
    /// For `pdf`: the public address of a PDF, DOCX, PPTX, XLSX, ODT, ODP, ODS, EPUB, CSV, TSV, Markdown or plain text
    /// file. The type is detected from the bytes. Send exactly one of `inputFileUrl`, `inputUrl`, `fileId` and
    /// `inputFile`.
    #[schema(max_length = 2048, examples("https://acme.example/report.pdf"))]
    input_file_url: Option<String>,
    /// For `pdf`: the file itself, at most 25 MB, as base64 or as a data URI, whose media type distinguishes kinds of
    /// text. HTML is accepted as well.
    #[schema(examples("JVBERi0xLjcK…"))]
    input_file: Option<String>,
    /// For `pdf`: the id of an upload.
    #[schema(examples("0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e92"))]
    file_id: Option<String>,
    /// Pictures for the pages, in addition to those in the content.
    #[schema(max_items = 20)]
    images: Option<Vec<ImageRequest>>,
    /// The formats to make. List each format once.
    #[schema(value_type = Vec<names::FormatId>, min_items = 1, max_items = 20)]
    output_formats: Vec<String>,
    /// The number of slides of each carousel, by format id. Every carousel needs a count within the limits of its
    /// format. A count for a format that is not requested is ignored with a warning.
    carousel_counts: Option<BTreeMap<String, u32>>,
    /// The text of the pages of some or all formats, as an estimate returns it, with any changes. The text is used as
    /// it is: nothing is shortened, and no language model is called. The number of pages sets the slide count of a
    /// carousel.
    outline: Option<Vec<FormatOutline>>,
    /// One of your generations. The edits of its images are made again on the pages that replace theirs, at no extra
    /// cost. The warning `edit_not_kept` names edits that have no place there.
    edits_of: Option<Uuid>,
    /// The brand kit to use.
    brand_id: Option<Uuid>,
    /// The visual style. By default it is the brand kit's style. Without one, a language model chooses a style that
    /// suits the content, or it is `modern` if the service has no language model.
    #[schema(value_type = Option<names::VisualStyle>)]
    visual_style: Option<String>,
    /// The language of the pages: a two-letter code, a BCP 47 tag or an English name. By default it is detected from
    /// the content. Content in another language is translated if the service has a language model.
    #[schema(examples("en"))]
    language: Option<String>,
    /// The image size; `4K` requires a paid plan. The default is `2K`.
    #[schema(value_type = Option<names::Resolution>)]
    resolution: Option<String>,
    /// Set to `true` to make images in the platform's own pixel size (`sizes.exact` of the format). Not allowed with
    /// `4K`.
    #[schema(examples(false))]
    exact_size: Option<bool>,
    /// The title, in place of the one found in the content.
    #[schema(min_length = 1, max_length = 200, examples("Sleep better"))]
    title: Option<String>,
    /// Who reads the pages. Like `goal` and `tone`, this guides the language model. If the service has none, the three
    /// have no effect and the response has a warning.
    #[schema(min_length = 1, max_length = 300, examples("managers of small teams"))]
    audience: Option<String>,
    /// What readers should know, feel or do afterwards.
    #[schema(min_length = 1, max_length = 300, examples("try one meeting-free morning a week"))]
    goal: Option<String>,
    /// The tone of voice, in place of the brand kit's tone.
    #[schema(min_length = 1, max_length = 200, examples("warm, plain"))]
    tone: Option<String>,
    /// Set to `true` to use all of the text word for word: nothing is shortened or rewritten. Text that does not fit on
    /// the pages is `content_too_long`.
    #[schema(examples(false))]
    use_exact_content: Option<bool>,
    /// Seed for all random choices: the same request with the same seed gives the same pixels. By default it is derived
    /// from the content.
    #[schema(maximum = 9007199254740991_i64, examples(42))]
    seed: Option<u64>,
    /// The encoding of the images. The default is `png`.
    #[schema(value_type = Option<names::ImageFormat>)]
    image_format: Option<String>,
    /// A public URL that receives a signed POST when the generation ends.
    #[schema(format = "uri")]
    webhook_url: Option<String>,
    /// Reject the request if it costs more credits than this.
    #[schema(maximum = 9007199254740991_i64, examples(100))]
    max_credits: Option<u64>,
}

/// A picture for the pages of a generation. Send either `url` or `uploadId`.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({"url": "https://acme.example/team.jpg", "alt": "The team at work", "use": "any"})))]
pub struct ImageRequest {
    /// The picture's public address: a PNG, JPEG, WebP, GIF or AVIF of at most 10 MB.
    #[schema(max_length = 2048, examples("https://acme.example/team.jpg"))]
    url: Option<String>,
    /// The id of an upload.
    #[schema(examples("0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e92"))]
    upload_id: Option<String>,
    /// What the picture shows. The picture is placed on the page whose text shares the most words with this
    /// description, and the description becomes part of that page's alternative text.
    #[schema(max_length = 300, examples("The team at work"))]
    alt: Option<String>,
    /// Where the picture may be used; `any` by default.
    #[schema(value_type = Option<names::ImageUse>)]
    r#use: Option<String>,
}

/// A brand kit. Only `name` is required; for anything left out, the style decides.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!(examples::brand_request())))]
pub struct BrandRequest {
    /// The name of the brand.
    #[schema(min_length = 1, max_length = 100, examples("Acme"))]
    name: String,
    /// Whether the console preselects this brand kit. An account has one default: setting it here unsets the previous
    /// one.
    #[schema(examples(false))]
    is_default: Option<bool>,
    /// The brand's colours.
    colors: Option<BrandColorsRequest>,
    /// The brand's font families, from those that `GET /api/fonts` lists.
    fonts: Option<BrandFontsRequest>,
    /// The brand's tone of voice, for text that a language model writes.
    #[schema(min_length = 1, max_length = 300, examples("warm, plain"))]
    tone: Option<String>,
    /// The brand's handle on social networks, one word.
    #[schema(min_length = 1, max_length = 60, examples("@acme"))]
    handle: Option<String>,
    /// The address of the brand's website. It is displayed and never fetched.
    #[schema(min_length = 1, max_length = 200, examples("https://acme.example"))]
    url: Option<String>,
    /// The style of generations that use this brand kit and name no style themselves.
    #[schema(value_type = Option<names::VisualStyle>)]
    visual_style: Option<String>,
    /// Whether pages carry the brand in their footer; `true` by default.
    #[schema(examples(true))]
    footer: Option<bool>,
    /// Ignored, so that you can send a brand kit back as you read it.
    #[schema(required = false, value_type = Value)]
    id: Option<String>,
    /// Send `null` to remove the logo for light backgrounds. Any other value is ignored.
    #[schema(required = false, value_type = Value)]
    logo_url: Option<String>,
    /// Send `null` to remove the logo for dark backgrounds. Any other value is ignored.
    #[schema(required = false, value_type = Value)]
    logo_dark_url: Option<String>,
    /// Ignored, so that you can send a brand kit back as you read it.
    #[schema(required = false, value_type = Value)]
    created_at: Option<String>,
    /// Ignored, so that you can send a brand kit back as you read it.
    #[schema(required = false, value_type = Value)]
    updated_at: Option<String>,
}

/// The colours of a brand.
#[derive(ToSchema)]
pub struct BrandColorsRequest {
    /// The main colour of the brand.
    #[schema(pattern = "^#[0-9A-Fa-f]{6}$", examples("#0a5f38"))]
    primary: Option<String>,
    /// The secondary colour of the brand.
    #[schema(pattern = "^#[0-9A-Fa-f]{6}$")]
    secondary: Option<String>,
    /// The accent colour, for elements that should stand out.
    #[schema(pattern = "^#[0-9A-Fa-f]{6}$", examples("#ff7a00"))]
    accent: Option<String>,
    /// The background colour of pages.
    #[schema(pattern = "^#[0-9A-Fa-f]{6}$")]
    background: Option<String>,
    /// The text colour.
    #[schema(pattern = "^#[0-9A-Fa-f]{6}$")]
    text: Option<String>,
}

/// The font families of a brand. Names ignore case.
#[derive(ToSchema)]
pub struct BrandFontsRequest {
    /// The family for headings.
    #[schema(examples("Instrument Serif"))]
    heading: Option<String>,
    /// The family for all other text.
    #[schema(examples("Inter Tight"))]
    body: Option<String>,
}

/// A webhook subscription.
#[derive(ToSchema)]
#[schema(examples(json!(examples::webhook_request())))]
pub struct WebhookRequest {
    /// The public URL that receives signed POST requests.
    #[schema(max_length = 2048, examples("https://hooks.acme.example/vivid"))]
    url: String,
    /// The events to receive; all events by default.
    #[schema(value_type = Option<Vec<names::GenerationEvent>>, min_items = 1)]
    events: Option<Vec<String>>,
}

/// A request for an edit, or the confirmation of a proposed edit.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!(examples::edit_request()), json!(examples::edit_confirmation())))]
pub struct EditRequest {
    /// The image: the `outputId` of an image in a generation.
    #[schema(value_type = String, examples("0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e91"))]
    output_id: String,
    /// What to change, in your own words. Start with "on all slides …" to change every slide of the carousel.
    #[schema(min_length = 1, max_length = 2000, examples("Make the headline a bit bigger"))]
    prompt: String,
    /// To apply the edit: the `refinedInstruction` from the first response, unchanged.
    #[schema(max_length = 100_000, examples("On version 1: set the headline size to 150 (was 120)"))]
    confirmed_instruction: Option<String>,
}

/// A new title for a generation.
#[derive(ToSchema)]
#[schema(examples(json!({"title": "Sleep better"})))]
pub struct RenameRequest {
    /// The title; `null` restores the one found in the content.
    #[schema(required, min_length = 1, max_length = 200)]
    title: Option<String>,
}

/// Changes to a subscription. Fields that you leave out stay as they are.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({"events": ["generation.completed", "generation.failed"]})))]
pub struct WebhookChangeRequest {
    /// The URL that receives deliveries.
    #[schema(format = "uri")]
    url: Option<String>,
    /// The events to receive.
    #[schema(value_type = Option<Vec<names::GenerationEvent>>, min_items = 1)]
    events: Option<Vec<String>>,
    /// Whether deliveries are sent.
    #[schema(examples(true))]
    active: Option<bool>,
}

/// The rotation of a secret.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({"overlapHours": 24})))]
pub struct RotationRequest {
    /// Hours for which deliveries are also signed with the old secret; 24 by default.
    #[schema(maximum = 168, default = 24)]
    overlap_hours: Option<u32>,
}

/// A request to make a generation in another language.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({"language": "es"})))]
pub struct LocalizeRequest {
    /// The target language: a two-letter code, a BCP 47 tag or an English name.
    #[schema(examples("es"))]
    language: String,
    /// The ids of the outputs to use; by default all outputs of the generation.
    #[schema(min_items = 1)]
    output_ids: Option<Vec<Uuid>>,
    /// Reject the request if it costs more credits than this.
    #[schema(maximum = 9007199254740991_i64, examples(100))]
    max_credits: Option<u64>,
}

/// Pages in the page language, with rendering options.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!(examples::pages_request())))]
pub struct PagesRequest {
    /// One or more `<page>` elements. In a carousel format they are its slides.
    #[schema(max_length = 262_144)]
    pages: String,
    /// The format of every page.
    #[schema(value_type = names::FormatId)]
    format: String,
    /// The visual style; by default the brand kit's, or `modern` without one.
    #[schema(value_type = Option<names::VisualStyle>)]
    visual_style: Option<String>,
    /// The brand kit to use.
    brand_id: Option<Uuid>,
    /// The language of the text: a two-letter code, a BCP 47 tag or an English name. By default it is detected.
    #[schema(examples("en"))]
    language: Option<String>,
    /// The title of the generation; by default the text of its first page.
    #[schema(min_length = 1, max_length = 200, examples("Sleep better"))]
    title: Option<String>,
    /// The image size; `4K` requires a paid plan. The default is `2K`.
    #[schema(value_type = Option<names::Resolution>)]
    resolution: Option<String>,
    /// Set to `true` to make images in the platform's own pixel size (`sizes.exact` of the format). Not allowed with
    /// `4K`.
    #[schema(examples(false))]
    exact_size: Option<bool>,
    /// The encoding of the images. The default is `png`.
    #[schema(value_type = Option<names::ImageFormat>)]
    image_format: Option<String>,
    /// Selects the colour scheme and fonts within the style; the same seed gives the same ones. By default it is
    /// derived from the pages.
    #[schema(maximum = 9007199254740991_i64, examples(42))]
    seed: Option<u64>,
    /// Reject the request if it costs more credits than this.
    #[schema(maximum = 9007199254740991_i64, examples(100))]
    max_credits: Option<u64>,
    /// Set to `true` to check the pages without rendering or charging.
    #[schema(examples(false))]
    dry_run: Option<bool>,
}

/// A request for variations of a generation.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({"count": 3})))]
pub struct VariationRequest {
    /// Number of variations of each output.
    #[schema(minimum = 1, maximum = 10, examples(3))]
    count: u32,
    /// The ids of the outputs to use; by default all outputs of the generation.
    #[schema(min_items = 1)]
    output_ids: Option<Vec<Uuid>>,
    /// Reject the request if it costs more credits than this.
    #[schema(maximum = 9007199254740991_i64, examples(100))]
    max_credits: Option<u64>,
    /// Selects the variations: the same seed gives the same ones. By default it is random, so that every request gives
    /// new variations.
    #[schema(maximum = 9007199254740991_i64, examples(42))]
    seed: Option<u64>,
}

/// A request to make a generation in another language, with the generation's id in the body.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({
    "referenceGenerationId": "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e90",
    "language": "es",
})))]
pub struct LocalizeByReferenceRequest {
    /// The id of the generation.
    reference_generation_id: Uuid,
    /// The target language: a two-letter code, a BCP 47 tag or an English name.
    #[schema(examples("es"))]
    language: String,
    /// The ids of the outputs to use; by default all outputs of the generation.
    #[schema(min_items = 1)]
    output_ids: Option<Vec<Uuid>>,
    /// Reject the request if it costs more credits than this.
    #[schema(maximum = 9007199254740991_i64, examples(100))]
    max_credits: Option<u64>,
}

/// A request for variations of a generation, with the generation's id in the body.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({
    "referenceGenerationId": "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e90",
    "count": 3,
})))]
pub struct VariationByReferenceRequest {
    /// The id of the generation.
    reference_generation_id: Uuid,
    /// Number of variations of each output.
    #[schema(minimum = 1, maximum = 10, examples(3))]
    count: u32,
    /// The ids of the outputs to use; by default all outputs of the generation.
    #[schema(min_items = 1)]
    output_ids: Option<Vec<Uuid>>,
    /// Reject the request if it costs more credits than this.
    #[schema(maximum = 9007199254740991_i64, examples(100))]
    max_credits: Option<u64>,
    /// Selects the variations: the same seed gives the same ones. By default it is random.
    #[schema(maximum = 9007199254740991_i64, examples(42))]
    seed: Option<u64>,
}

/// A page that replaces the page of an image.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!(page_examples::page_text_request())))]
pub struct ImagePageRequest {
    /// The complete page in the page language, including header and footer.
    #[schema(max_length = 262_144)]
    page: String,
    /// The version that you changed. If it is not the current version, the request is rejected. By default the current
    /// version.
    #[schema(minimum = 1)]
    version: Option<u32>,
}

/// The slides that a carousel should have.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!(examples::slides_request())))]
pub struct SlidesRequest {
    /// All slides, in order.
    #[schema(min_items = 1, max_items = 100)]
    slides: Vec<SlideRequest>,
    /// Set to `true` to get the price without changing anything.
    #[schema(default = false)]
    dry_run: Option<bool>,
}

/// A slide: one that the carousel has or had, or a new slide with the look of such a slide.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({"outputId": examples::OUTPUT})))]
pub struct SlideRequest {
    /// The id of a slide of the carousel. List a slide only once.
    output_id: Option<Uuid>,
    /// The id of a slide of the carousel to copy.
    copy_of: Option<Uuid>,
    /// New text for the slide, in place of the named slide's text.
    page: Option<OutlinePage>,
}

/// The version to restore.
#[derive(ToSchema)]
pub struct RestoreRequest {
    /// The number of the version.
    #[schema(minimum = 1, examples(1))]
    version: u32,
}

/// A multipart body with a file.
#[derive(ToSchema)]
pub struct UploadRequest {
    /// The file. Other parts are ignored.
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream")]
    file: Vec<u8>,
}
