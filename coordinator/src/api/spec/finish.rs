//! Completes the OpenAPI document with what applies to all operations or to all of one kind: general information, the
//! headers of every response, and the errors that result from keys, bodies and the middleware.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::header::{Header, HeaderBuilder};
use utoipa::openapi::info::{InfoBuilder, LicenseBuilder};
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::server::ServerBuilder;
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{
    Components, ContentBuilder, Info, OpenApi, Ref, RefOr, Required, Response, ResponseBuilder, example::ExampleBuilder,
};
use utoipa::{PartialSchema, ToSchema};

use super::super::webhooks::deliveries::Told;
use super::{open, webhooks};
use crate::http::error::codes::{self, Retry, Row};
use crate::http::error::{Detail, ErrorAnswer};
use crate::http::names;

/// Operations whose body is optional.
const OPTIONAL_BODIES: [&str; 2] = ["rotateWebhookSecret", "rotateSecretOfWebhook"];
/// The extension under which an operation lists its own error codes. It is removed once they are among its responses.
const CODES: &str = "x-codes";
/// Names of the security schemes: a key in its own header, and the same key as a bearer token.
const KEY: &str = "apiKey";
const BEARER: &str = "bearer";
/// Headers of every response: name, description, whether it is a number.
const HEADERS: [(&str, &str, bool); 4] = [
    ("X-Request-Id", "The id of the request, a UUID of version 7.", false),
    ("X-RateLimit-Limit", "The number of requests of this class that the window allows.", true),
    ("X-RateLimit-Remaining", "The number of requests of this class that are left in the window.", true),
    ("X-RateLimit-Reset", "When the window ends, in Unix seconds.", true),
];
/// Headers of some responses: name, description, whether it is a number, whether it is always present on responses that
/// document it.
const SOME: [(&str, &str, bool, bool); 3] = [
    ("Retry-After", "Seconds to wait before a retry.", true, true),
    ("WWW-Authenticate", "How to authenticate.", false, true),
    (
        "Idempotent-Replayed",
        "`true` if this response is a replay of an earlier one with the same `Idempotency-Key`.",
        false,
        false,
    ),
];
/// Groups of operations, in display order.
const TAGS: [(&str, &str); 8] = [
    ("Generations", "Turn content into images: create a generation, poll it until it has ended, list generations."),
    ("Webhooks", "Notifications when generations end, and their deliveries."),
    ("Uploads", "Files uploaded for later use."),
    ("Brand kits", "A brand's colours, fonts, logos and tone of voice."),
    ("Formats", "The available output formats and their sizes."),
    ("Credits", "An account's balance and its ledger."),
    ("Images", "Image downloads by signed URL."),
    ("Service", "Health checks and API documentation."),
];
const ABOUT: &str = include_str!("about.md");

/// Completes the document of a service that clients reach at `base`.
pub fn finish(mut api: OpenApi, base: &str) -> OpenApi {
    api.info = info();
    api.servers = Some(vec![ServerBuilder::new().url(base).build()]);
    let tags = TAGS.map(|(name, what)| TagBuilder::new().name(name).description(Some(what)).build());
    api.tags = Some(tags.into());
    let mut components = api.components.take().unwrap_or_default();
    add_common(&mut components);
    let errors = codes::all();
    for (path, item) in std::mem::take(&mut api.paths.paths) {
        // axum's notation for the rest of a path. OpenAPI has no equivalent.
        let path = path.replace("{*", "{");
        let item = with_operations(item, |operation| complete(operation, &path, &errors, &mut components));
        api.paths.paths.insert(path, item);
    }
    open::open_lists(&mut components);
    open::warn_of_nothing(&mut components);
    api.components = Some(components);
    api.webhooks = Some(webhooks::webhooks());
    api
}

fn info() -> Info {
    let license = LicenseBuilder::new().name("MIT").identifier(Some("MIT")).build();
    let info = InfoBuilder::new().title("Vivid").version(env!("CARGO_PKG_VERSION")).license(Some(license));
    info.description(Some(ABOUT)).build()
}

fn with_operations(mut item: PathItem, mut each: impl FnMut(&mut Operation)) -> PathItem {
    let operations = [&mut item.get, &mut item.put, &mut item.post, &mut item.delete, &mut item.patch];
    operations.into_iter().flatten().for_each(&mut each);
    item
}

fn add_common(components: &mut Components) {
    for (name, what, number) in HEADERS {
        components.headers.insert(name.into(), header(what, number, true).into());
    }
    for (name, what, number, required) in SOME {
        components.headers.insert(name.into(), header(what, number, required).into());
    }
    let key = ApiKey::Header(ApiKeyValue::with_description(
        "X-API-Key",
        "`vd_` followed by 40 characters. Each operation lists the scopes that it requires.",
    ));
    components.add_security_scheme(KEY, SecurityScheme::ApiKey(key));
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("The same key as `Authorization: Bearer vd_…`. Ignored if `X-API-Key` is sent."));
    components.add_security_scheme(BEARER, SecurityScheme::Http(bearer.build()));
    let mut schemas = vec![(ErrorAnswer::name().into_owned(), ErrorAnswer::schema())];
    ErrorAnswer::schemas(&mut schemas);
    Detail::schemas(&mut schemas);
    // The body of a delivery occurs in no response, so it is added here.
    schemas.push((Told::name().into_owned(), Told::schema()));
    Told::schemas(&mut schemas);
    // Parameters don't register their schemas.
    schemas.push((names::LogoVariant::name().into_owned(), names::LogoVariant::schema()));
    schemas.push((names::Expansion::name().into_owned(), names::Expansion::schema()));
    components.schemas.extend(schemas);
}

fn header(what: &str, number: bool, required: bool) -> Header {
    let kind = if number { Type::Integer } else { Type::String };
    let mut schema = ObjectBuilder::new().schema_type(SchemaType::Type(kind));
    if number {
        schema = schema.minimum(Some(0_u64));
    }
    let header = HeaderBuilder::new().description(Some(what)).schema(Some(schema));
    header.extensions(required.then(is_required)).build()
}

/// Marks a header as required. The `Header` type has no field for it.
fn is_required() -> Extensions {
    [("required", true)].into_iter().collect()
}

fn complete(operation: &mut Operation, path: &str, errors: &[&Row], components: &mut Components) {
    let codes = own_codes(operation, path);
    offer_bearer(operation);
    open::name_bytes(operation);
    let idempotent = takes_idempotency_key(operation);
    for (status, response) in &mut operation.responses.responses {
        let RefOr::T(response) = response else { continue };
        for header in response.headers.values_mut() {
            if let RefOr::T(header) = header {
                header.extensions = Some(is_required());
            }
        }
        if idempotent && status.starts_with('2') {
            refer_to_header(response, "Idempotent-Replayed");
        }
        HEADERS.iter().for_each(|(name, ..)| refer_to_header(response, name));
    }
    let may_be_empty = operation.operation_id.as_deref().is_some_and(|id| OPTIONAL_BODIES.contains(&id));
    if let Some(RefOr::T(body)) = &mut operation.request_body
        && !may_be_empty
    {
        body.required = Some(Required::True);
    }
    let mut by_status: BTreeMap<u16, Vec<&Row>> = BTreeMap::new();
    for code in codes {
        let error =
            errors.iter().find(|e| e.code == code).unwrap_or_else(|| panic!("{path}: no error has the code {code}"));
        by_status.entry(error.status.as_u16()).or_default().push(error);
    }
    for (status, errors) in by_status {
        let names: Vec<&str> = errors.iter().map(|e| e.code).collect();
        let name = format!("{status}.{}", names.join("."));
        components.responses.entry(name.clone()).or_insert_with(|| refusal(&errors).into());
        operation.responses.responses.insert(status.to_string(), Ref::from_response_name(name).into());
    }
}

fn refer_to_header(response: &mut Response, name: &str) {
    let header = Ref::new(format!("#/components/headers/{name}"));
    response.headers.insert(name.into(), RefOr::Ref(header));
}

/// Returns every code that an operation may return.
fn own_codes(operation: &mut Operation, path: &str) -> BTreeSet<String> {
    let own = operation.extensions.as_mut().and_then(|e| e.remove(CODES));
    operation.extensions.take_if(|e| e.is_empty());
    let mut codes: BTreeSet<String> =
        own.map(|own| serde_json::from_value(own).expect("a list of codes")).unwrap_or_default();
    let mut add = |more: &[&str]| codes.extend(more.iter().map(|code| (*code).to_owned()));
    add(&["uri_too_long", "headers_too_large", "internal_error"]);
    if path.starts_with("/api/") {
        add(&["rate_limit_exceeded"]);
        // The key is looked up whether or not the path requires one.
        add(&["storage_unavailable"]);
    }
    if let Some(security) = operation.security.as_ref().filter(|ways| !ways.is_empty()) {
        add(&["api_key_missing", "api_key_invalid", "api_key_revoked", "account_deactivated", "plan_required"]);
        if security.iter().any(has_scopes) {
            add(&["insufficient_scope"]);
        }
    }
    if let Some(RefOr::T(body)) = &operation.request_body {
        add(&["busy", "request_timeout", "body_too_large", "unsupported_media_type", "invalid_json"]);
        if body.content.keys().any(|kind| matches!(kind.as_str(), "application/json" | "multipart/form-data")) {
            add(&["validation_failed"]);
        }
    }
    if takes_idempotency_key(operation) {
        add(&["validation_failed", "idempotency_conflict", "idempotency_in_progress"]);
    }
    if path.starts_with("/files/") {
        add(&["storage_unavailable", "storage_damaged"]);
    }
    codes
}

fn has_scopes(requirement: &SecurityRequirement) -> bool {
    !scopes(requirement).is_empty()
}

/// Returns the scopes of a requirement that names a key.
fn scopes(requirement: &SecurityRequirement) -> Vec<String> {
    let said = serde_json::to_value(requirement).unwrap_or_default();
    serde_json::from_value(said[KEY].clone()).unwrap_or_default()
}

/// Allows the bearer token as an alternative wherever a key is required. An operation without requirements gets an
/// explicit empty list: the document's default must not apply to it.
fn offer_bearer(operation: &mut Operation) {
    let ways = operation.security.get_or_insert_default();
    let bearer: Vec<_> = ways.iter().map(|way| SecurityRequirement::new(BEARER, scopes(way))).collect();
    ways.extend(bearer);
}

fn takes_idempotency_key(operation: &Operation) -> bool {
    let parameters = operation.parameters.iter().flatten();
    parameters
        .filter_map(|p| match p {
            RefOr::T(parameter) => Some(parameter),
            RefOr::Ref(_) => None,
        })
        .any(|p| p.name == "Idempotency-Key")
}

/// Builds the response of one status, with any of these codes. All errors share one schema, so that generators create a
/// single error type. The examples show which codes an operation returns.
fn refusal(errors: &[&Row]) -> Response {
    let codes: Vec<String> = errors.iter().map(|e| format!("`{}`", e.code)).collect();
    let mut content = ContentBuilder::new().schema(Some(Ref::from_schema_name(ErrorAnswer::name())));
    for error in errors {
        content = content.examples_from_iter([(error.code, ExampleBuilder::new().value(Some(example(error))).build())]);
    }
    let mut response =
        ResponseBuilder::new().description(codes.join(", ")).content("application/json", content.build()).build();
    HEADERS.iter().for_each(|(name, ..)| refer_to_header(&mut response, name));
    if errors.iter().all(|e| e.retry != Retry::Never) {
        refer_to_header(&mut response, "Retry-After");
    }
    if errors.iter().all(|e| e.status == 401) {
        refer_to_header(&mut response, "WWW-Authenticate");
    }
    response
}

fn example(error: &Row) -> Value {
    let message = error.example();
    let mut example = json!({
        "error": error.error,
        "message": message,
        "code": error.code,
        "requestId": "0198c0de-0000-7000-8000-000000000000",
    });
    match error.code {
        "insufficient_credits" => {
            example["required"] = json!(40);
            example["available"] = json!(25);
        }
        "max_credits_exceeded" => {
            example["required"] = json!(40);
            example["maxCredits"] = json!(30);
        }
        "validation_failed" => {
            let detail = Detail::new("outputFormats", "missing_field", message.as_str());
            example["details"] = json!([detail]);
        }
        "page_invalid" => {
            let fault = Detail::new("pages", "page_invalid", "61 characters, 45 fit");
            example["details"] = json!([Detail { element: Some("headline-1".into()), ..fault }]);
        }
        "invalid_cursor" => {
            example["details"] = json!([Detail::new("cursor", "invalid_value", message.as_str())]);
        }
        _ => {}
    }
    example
}
