//! Parameters of requests, for the OpenAPI document only. The handlers parse them separately.
#![allow(dead_code, reason = "only the derive macros read these types")]

use utoipa::IntoParams;
use uuid::Uuid;

use super::examples;
use crate::http::names;

/// Parameters of requests that are safe to repeat.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct IdempotencyKey {
    /// 1 to 255 visible ASCII characters. Keys belong to the account and are kept for 24 hours. Repeating a request
    /// with the same key and body returns the first response, with `Idempotent-Replayed: true`. The same key with
    /// another body is 409 `idempotency_conflict`.
    #[param(
        rename = "Idempotency-Key",
        min_length = 1,
        max_length = 255,
        pattern = "^[!-~]{1,255}$",
        nullable = false
    )]
    key: Option<String>,
}

/// The generation in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct GenerationId {
    /// The id of one of the account's generations.
    #[param(example = json!(examples::GENERATION))]
    id: Uuid,
}

/// Selects a file of a generation's images.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct ExportQuery {
    /// The type of the file.
    #[param(value_type = names::ExportFormat, example = json!("pdf"))]
    format: String,
    /// The id of a format. The file then contains only its images; by default it contains all images.
    #[param(value_type = Option<names::FormatId>, nullable = false)]
    format_id: Option<String>,
}

/// Search for icons and pictures.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DrawingsQuery {
    /// What the drawing should show, in words.
    #[param(max_length = 100, nullable = false, example = json!("cloud"))]
    query: Option<String>,
    /// The language of the words; English by default.
    #[param(nullable = false, example = json!("en"))]
    language: Option<String>,
}

/// Selects the designs.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct DesignsQuery {
    /// The aspect of the design to vary.
    #[param(value_type = names::DesignAspect, example = json!("style"))]
    aspect: String,
    /// Set to `true` to apply each design to every slide of the carousel. Not allowed with `layout`.
    #[param(nullable = false)]
    all_slides: Option<bool>,
}

/// The output in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path, rename_all = "camelCase")]
pub struct OutputPlace {
    /// The id of one of the account's generations.
    #[param(example = json!(examples::GENERATION))]
    id: Uuid,
    /// The id of one of its outputs.
    #[param(example = json!(examples::OUTPUT))]
    output_id: Uuid,
}

/// The delivery of a subscription in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path, rename_all = "camelCase")]
pub struct DeliveryPlace {
    /// The id of one of the account's subscriptions.
    #[param(example = json!(examples::WEBHOOK))]
    id: Uuid,
    /// The id of one of its deliveries.
    #[param(example = json!(examples::DELIVERY))]
    delivery_id: Uuid,
}

/// The delivery to a generation's `webhookUrl` in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path, rename_all = "camelCase")]
pub struct GenerationDeliveryPlace {
    /// The id of one of the account's generations.
    #[param(example = json!(examples::GENERATION))]
    id: Uuid,
    /// The id of one of its deliveries.
    #[param(example = json!(examples::DELIVERY))]
    delivery_id: Uuid,
}

/// The brand kit in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct BrandId {
    /// The id of one of the account's brand kits.
    #[param(example = json!(examples::BRAND))]
    id: Uuid,
}

/// Filters and pages the list of generations.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct ListQuery {
    /// Number of generations per page.
    #[param(minimum = 1, maximum = 100, default = 20, nullable = false)]
    limit: Option<u32>,
    /// Where the page starts: `nextCursor` of the previous page.
    #[param(nullable = false)]
    cursor: Option<String>,
    /// Only generations with this status.
    #[param(value_type = Option<names::GenerationStatus>, nullable = false)]
    status: Option<String>,
    /// Only generations whose content was given in this way.
    #[param(value_type = Option<names::GivenType>, nullable = false)]
    input_type: Option<String>,
    /// Only generations made with this brand kit.
    #[param(nullable = false)]
    brand_id: Option<Uuid>,
    /// Only generations accepted after this time (RFC 3339).
    #[param(format = DateTime, nullable = false)]
    created_after: Option<String>,
    /// Only generations accepted before this time (RFC 3339).
    #[param(format = DateTime, nullable = false)]
    created_before: Option<String>,
    /// Only generations that have these words in their title, in the beginning of their text or on one of their pages.
    #[param(max_length = 200, nullable = false)]
    q: Option<String>,
    /// What to include for each generation: `outputs` includes its images, `quality` also their design measurements.
    #[param(value_type = Option<Vec<names::Expansion>>, style = Form, explode = false, nullable = false)]
    expand: Option<Vec<String>>,
}

/// Selects a logo.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct VariantQuery {
    /// The background that the logo is for.
    #[param(value_type = Option<names::LogoVariant>, default = "light", nullable = false)]
    variant: Option<String>,
}

/// The file in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct FileKey {
    /// The key of the file. It may contain slashes.
    key: String,
}

/// The signature of a URL.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Signed {
    /// When the URL expires, in Unix seconds.
    expires: i64,
    /// The service's signature: HMAC-SHA256 in hexadecimal.
    #[param(pattern = "^[0-9a-f]{64}$")]
    signature: String,
}

/// Conditional requests.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct IfNoneMatch {
    /// The `ETag` of the client's copy. If it is still current, the response is 304 without a body.
    #[param(rename = "If-None-Match", nullable = false)]
    tag: Option<String>,
}

/// Selects a page of a list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// Number of entries per page.
    #[param(minimum = 1, maximum = 100, default = 20, nullable = false)]
    limit: Option<u32>,
    /// Where the page starts: `nextCursor` of the previous page.
    #[param(nullable = false)]
    cursor: Option<String>,
}

/// The subscription in a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct WebhookId {
    /// The id of one of the account's subscriptions.
    #[param(example = json!(examples::WEBHOOK))]
    id: Uuid,
}

/// Where to resume a stream.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct LastEventId {
    /// The id of the last event that the client received. The stream resumes after it.
    #[param(rename = "Last-Event-ID", nullable = false)]
    id: Option<String>,
}
