//! What lets generated clients outlive the version of the service that they were generated from, and send and receive bytes.

use serde_json::json;
use utoipa::openapi::content::Content;
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{
    AnyOfBuilder, KnownFormat, Object, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type,
};
use utoipa::openapi::{Components, RefOr};

/// Lists of which a request must send a member: an unknown one is refused, and no answer has them.
const CLOSED: [&str; 2] = ["LogoVariant", "Expansion"];

/// Makes every list of names an open one: any string is allowed, and the known ones are told. A client that was generated
/// before a name was added must be able to read answers with it.
pub fn open_lists(components: &mut Components) {
    for (name, schema) in &mut components.schemas {
        if let RefOr::T(Schema::Object(object)) = schema
            && object.enum_values.is_some()
            && !CLOSED.contains(&name.as_str())
        {
            *schema = opened(name, std::mem::take(object)).into();
        }
    }
}

fn opened(name: &str, mut list: Object) -> Schema {
    let about = list.description.take().unwrap_or_default();
    // Generators name the type of the known ones after it, and need it to be the only one of its name.
    list.title = Some(format!("Known{name}"));
    let any = ObjectBuilder::new().schema_type(Type::String);
    let open =
        AnyOfBuilder::new().description(Some(format!("{about} Other values may be added."))).item(list).item(any);
    open.build().into()
}

/// Makes examples of answers those of requests that nothing was to be warned of.
pub fn warn_of_nothing(components: &mut Components) {
    for schema in components.schemas.values_mut() {
        if let RefOr::T(Schema::Object(object)) = schema
            && let Some(RefOr::T(Schema::Array(warnings))) = object.properties.get_mut("warnings")
        {
            warnings.examples = vec![json!([])];
        }
    }
}

/// Gives the bodies of an operation that are neither JSON nor text a schema: bytes. Generators leave out what has none.
pub fn name_bytes(operation: &mut Operation) {
    if let Some(RefOr::T(body)) = &mut operation.request_body {
        body.content.values_mut().for_each(as_bytes);
    }
    for response in operation.responses.responses.values_mut() {
        if let RefOr::T(response) = response {
            response.content.values_mut().for_each(as_bytes);
        }
    }
}

fn as_bytes(content: &mut RefOr<Content>) {
    if let RefOr::T(content) = content
        && content.schema.is_none()
    {
        content.schema = Some(Schema::Object(bytes()).into());
    }
}

/// Bytes that are no text.
pub fn bytes() -> Object {
    ObjectBuilder::new()
        .schema_type(SchemaType::Type(Type::String))
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
        .build()
}
