//! Adapts the document to code generators: generated clients keep working with later versions of the service, and can
//! send and receive bytes.

use serde_json::json;
use utoipa::openapi::content::Content;
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{
    AnyOfBuilder, KnownFormat, Object, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type,
};
use utoipa::openapi::{Components, RefOr};

/// Enumerations that stay closed: they occur only in requests, and the service rejects unknown names.
const CLOSED: [&str; 2] = ["LogoVariant", "Expansion"];

/// Opens every enumeration: any string is allowed, and the known names are listed. Clients that were generated before a
/// name was added must be able to read responses that contain it.
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
    // Generators name the type of the known names after the title, so the title must be unique.
    list.title = Some(format!("Known{name}"));
    let any = ObjectBuilder::new().schema_type(Type::String);
    let open =
        AnyOfBuilder::new().description(Some(format!("{about} Other values may be added."))).item(list).item(any);
    open.build().into()
}

/// Removes warnings from example responses: the example requests cause none.
pub fn warn_of_nothing(components: &mut Components) {
    for schema in components.schemas.values_mut() {
        if let RefOr::T(Schema::Object(object)) = schema
            && let Some(RefOr::T(Schema::Array(warnings))) = object.properties.get_mut("warnings")
        {
            warnings.examples = vec![json!([])];
        }
    }
}

/// Adds a bytes schema to bodies that are neither JSON nor text. Generators skip bodies without a schema.
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

/// The schema of binary data.
pub fn bytes() -> Object {
    ObjectBuilder::new()
        .schema_type(SchemaType::Type(Type::String))
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
        .build()
}
