//! All limits of the core. Exceeding a limit is a typed error, never a panic. Where the excess is ignored instead, the
//! limit's comment says so.

use core::time::Duration;

/// Characters of a `text` input.
pub const TEXT_CHARS: usize = 200_000;
/// Characters of an `idea` input.
pub const IDEA_CHARS: usize = 2_000;
/// Characters of a URL.
pub const URL_CHARS: usize = 2_048;
/// Bytes of a web page, compressed and decompressed.
pub const WEB_PAGE_BYTES: usize = 5 << 20;
/// Bytes of one block of JSON-LD in a web page.
pub const LINKED_DATA_BYTES: usize = 1 << 20;
/// Bytes of a PDF.
pub const PDF_BYTES: usize = 25 << 20;
/// Redirects before a page.
pub const REDIRECTS: usize = 5;
/// Time to fetch a page, including redirects.
pub const FETCH_TIME: Duration = Duration::from_secs(15);
/// Bytes of the headers of a fetched page.
pub const FETCH_HEADER_BYTES: usize = 64 << 10;
/// Headers of a fetched page.
pub const FETCH_HEADERS: usize = 100;
/// Blocks that a document keeps; further ones are ignored.
pub const DOCUMENT_BLOCKS: usize = 4_000;
/// Emphasised stretches that a document keeps; further ones are read as plain words.
pub const DOCUMENT_EMPHASES: usize = 2_000;
/// Emphasised stretches of one slot; further ones are plain words.
pub const SLOT_EMPHASES: usize = 8;
/// Named entities that a document keeps; further ones are ignored.
pub const DOCUMENT_ENTITIES: usize = 500;
/// Rows that a table of a document keeps; further ones are ignored.
pub const TABLE_ROWS: usize = 200;
/// Footnote marks that are recognised in a text; in a text with more, all of them are plain words.
pub const FOOTNOTE_MARKS: usize = 1_000;
/// Code listings that a document keeps.
pub const LISTINGS: usize = 40;
/// Characters of a code listing.
pub const LISTING_CHARS: usize = 4_000;
/// Slides of one carousel, over all formats.
pub const SLIDES: u32 = 35;
/// Items that one page can hold.
pub const PAGE_ITEMS: usize = 12;
/// Rows of one chart.
pub const CHART_ROWS: usize = 60;
/// Characters of one slot of a page.
pub const SLOT_CHARS: usize = 2_000;
/// Bytes of a page's text in the page language.
pub const MARKUP_BYTES: usize = 256 << 10;
/// Elements of one page, excluding shapes of its `svg`s.
pub const PAGE_ELEMENTS: usize = 400;
/// Nesting depth of the elements of one page, including its `page`.
pub const PAGE_DEPTH: usize = 16;
/// Characters of text of one page.
pub const PAGE_CHARACTERS: usize = 6_000;
/// Bytes of one `svg` of a page.
pub const DRAWING_BYTES: usize = 64 << 10;
/// Shapes of one `svg` of a page, including groups and gradients.
pub const DRAWING_SHAPES: usize = 200;
/// Path segments and points of one `svg` of a page.
pub const DRAWING_SEGMENTS: usize = 4_000;
/// Faults that are listed for one page; further ones are only counted.
pub const PAGE_FAULTS: usize = 50;
/// Bytes of a stored page after decompression.
pub const PAGE_BYTES: usize = 1 << 20;
/// The longest edge of a rendered image, in pixels.
pub const EDGE_PX: u32 = 8_192;
/// Items of one scene.
pub const SCENE_ITEMS: usize = 20_000;
/// Path elements, points, glyphs and dashes of one scene, including its clips.
pub const SCENE_ELEMENTS: usize = 1 << 20;
/// Stops of one gradient.
pub const GRADIENT_STOPS: usize = 1_024;
/// Straight lines that the paths of one page are flattened to.
pub const FRAME_LINES: usize = 8 << 20;
/// Bytes of all tables, pictures and masks that one page uses at once.
pub const FRAME_TABLE_BYTES: usize = 512 << 20;
/// Texels of 16 bytes that the blurs of one page hold at once.
pub const BLUR_TEXELS: u64 = 64 << 20;
/// Texels of 16 bytes that one rasteriser keeps for the blurs of later pages.
pub const IDLE_TEXELS: usize = 4 << 20;
/// Time for a graphics device to draw a page before it counts as lost: a software device on a busy machine needs
/// seconds.
pub const DEVICE_WAIT: Duration = Duration::from_secs(60);
/// Bytes of glyph coverage that one rasteriser keeps.
pub const GLYPH_CACHE_BYTES: usize = 32 << 20;
/// Bytes of glyph outlines that one rasteriser keeps.
pub const OUTLINE_CACHE_BYTES: usize = 8 << 20;
/// The longest edge of a picture within a scene, in pixels.
pub const IMAGE_EDGE_PX: u32 = 16_384;
/// Pixels of a picture within a scene.
pub const IMAGE_PIXELS: usize = 64 << 20;
/// Bytes of resampled pictures that one rasteriser caches; it always keeps the latest one, even if that is larger.
pub const PICTURE_CACHE_BYTES: usize = 192 << 20;
/// Points of a mesh gradient; a mesh with more isn't drawn.
pub const MESH_POINTS: usize = 1_024;
/// Entries of a mesh gradient's table; a mesh with many points gets a coarser table.
pub const MESH_ENTRIES: usize = 1 << 18;
/// Layers of one scene.
pub const SCENE_LAYERS: usize = 256;
/// Nesting depth of layers.
pub const LAYER_DEPTH: usize = 16;
/// Layers of one scene with a blur or a backdrop blur.
pub const BLURRED_LAYERS: usize = 32;
/// The largest deviation of a blur, as a share of the canvas's longer edge; larger ones are clamped.
pub const WIDEST_BLUR: f32 = 0.25;
/// The longest edge of the texture that holds glyphs on a device, in pixels.
pub const GPU_ATLAS_EDGE_PX: u32 = 4_096;
/// Pages that one device draws at once; further ones wait.
pub const GPU_PAGES: usize = 8;
/// Bytes of tiles that are submitted to a device at once; a page with more is drawn in several submissions.
pub const GPU_TILE_BYTES: usize = 64 << 20;
/// Bytes of pictures that are cached on one device.
pub const GPU_PICTURE_BYTES: usize = 512 << 20;
/// Bytes of a font from outside, compressed or decompressed.
pub const FONT_BYTES: usize = 32 << 20;
/// Path elements of one glyph of such a font.
pub const GLYPH_ELEMENTS: usize = 1 << 15;
/// Path elements of all its glyphs.
pub const FONT_ELEMENTS: usize = 32 << 20;
/// Characters of such a font.
pub const FONT_CHARACTERS: usize = 200_000;
/// Faces from outside in one process.
pub const ADDED_FACES: usize = 64;
/// Bytes of all faces from outside in one process.
pub const ADDED_FACE_BYTES: usize = 256 << 20;
/// Bytes of a logo file.
pub const LOGO_BYTES: usize = 5 << 20;
/// The longest edge of a decoded picture, in pixels.
pub const PICTURE_EDGE_PX: u32 = 8_192;
/// Pixels of a decoded picture.
pub const PICTURE_PIXELS: usize = 16 << 20;
/// Elements, texts and comments of a logo in SVG, before and after references are expanded.
pub const SVG_NODES: usize = 20_000;
/// Nesting depth of its elements.
pub const SVG_DEPTH: usize = 128;
/// Bytes of a stored brand.
pub const BRAND_BYTES: usize = 64 << 10;
/// The long edge of a stored logo, in pixels; a larger one is reduced.
pub const LOGO_EDGE_PX: u32 = 1_024;
/// The long edge of a stored photograph, in pixels; a larger one is reduced.
pub const PHOTO_EDGE_PX: u32 = 2_048;
/// The smallest width and height of a photograph, in pixels: enlarging a smaller one would be visible.
pub const LEAST_PHOTO_PX: (u32, u32) = (600, 314);
/// Photographs of one request.
pub const PHOTOS: usize = 20;
/// Total bytes of the pictures that are sent with an input.
pub const IMAGES_BYTES: usize = 40 << 20;
/// Bytes of an input that is sent with pictures.
pub const INPUT_BYTES: usize = 32 << 20;
/// Characters of a picture's alternative text.
pub const ALT_CHARS: usize = 300;
/// Bytes of a photograph's file.
pub const PHOTO_BYTES: usize = 10 << 20;
/// Faces that one account keeps.
pub const ACCOUNT_FACES: usize = 16;
/// Total bytes of these faces, decompressed.
pub const ACCOUNT_FACE_BYTES: usize = 32 << 20;
