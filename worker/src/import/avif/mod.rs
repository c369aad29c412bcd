//! AVIF: a still picture, or a grid of them, coded as AV1. `re_rav1d` (dav1d in Rust, here without its assembly)
//! decodes it.

mod boxes;
mod planes;

use re_rav1d::dav1d::{Decoder, Picture, Settings};
use render_core::limits::PICTURE_PIXELS;

use self::boxes::{Container, Grid};
use self::planes::{Canvas, Matrix};
use super::colour::Space;
use super::stored::{Stored, broken, size};

/// Decodes the picture of an AVIF file.
///
/// # Errors
/// Why the file can't be used, as a message to its sender.
pub(super) fn decoded(file: &[u8]) -> Result<Stored, String> {
    let container = Container::read(file)?;
    let primary = container.primary();
    let (coded, grid) = container.coded(primary)?;
    let coding = container.coding(primary);
    let (first, rest) = coded.split_first().ok_or("this AVIF holds no picture")?;
    let first = picture(first)?;
    let (width, height) = grid.map_or((first.width(), first.height()), |g| (g.width, g.height));
    size(width, height)?;

    let matrix = Matrix::new(&first, coding);
    let is_grey = planes::is_grey(&first);
    let space = match (container.icc(), coding) {
        (Some(icc), _) => Space::Icc(icc.to_vec()),
        (None, Some(coding)) => Space::Coded { primaries: coding.primaries, transfer: coding.transfer },
        (None, None) => planes::named(&first),
    };
    let mut canvas = Canvas::new(width, height, planes::bits(&first) > 8);
    tiles(first, rest, grid, |tile, x, y| canvas.paint(tile, &matrix, x, y))?;
    if let Some((alpha, multiplied)) = container.alpha() {
        let (coded, grid) = container.coded(alpha)?;
        let (first, rest) = coded.split_first().ok_or("this AVIF holds no picture")?;
        let first = picture(first)?;
        let alpha_matrix = Matrix::new(&first, container.coding(alpha));
        tiles(first, rest, grid, |tile, x, y| canvas.paint_alpha(tile, &alpha_matrix, x, y))?;
        if multiplied {
            canvas.divide_by_alpha();
        }
    }
    let samples = canvas.into_samples();
    Ok(Stored { width, height, samples, is_grey, space, orientation: container.orientation() })
}

/// Calls `each` with each tile and its position.
fn tiles(
    first: Picture,
    rest: &[Vec<u8>],
    grid: Option<Grid>,
    mut each: impl FnMut(&Picture, usize, usize),
) -> Result<(), String> {
    let (width, height) = (first.width() as usize, first.height() as usize);
    let columns = grid.map_or(1, |g| g.columns);
    each(&first, 0, 0);
    drop(first);
    for (n, coded) in (1..).zip(rest) {
        let tile = picture(coded)?;
        if (tile.width() as usize, tile.height() as usize) != (width, height) {
            return Err("this AVIF can't be read: its tiles differ in size".into());
        }
        each(&tile, n % columns * width, n / columns * height);
    }
    Ok(())
}

/// Decodes a picture on this thread: the sandbox can't start others.
fn picture(coded: &[u8]) -> Result<Picture, String> {
    let mut settings = Settings::new();
    settings.set_n_threads(1);
    settings.set_max_frame_delay(1);
    settings.set_all_layers(false);
    settings.set_frame_size_limit(PICTURE_PIXELS as u32);
    let mut decoder = Decoder::with_settings(&settings).map_err(|e| broken("AVIF", e))?;
    let mut sent = decoder.send_data(coded.to_vec(), None, None, None);
    loop {
        match decoder.get_picture() {
            Ok(picture) => return Ok(picture),
            // The decoder needs the rest of the data, if there is any.
            Err(e) if e.is_again() && sent.is_err_and(|s| s.is_again()) => sent = decoder.send_pending_data(),
            Err(e) => return Err(broken("AVIF", sent.err().unwrap_or(e))),
        }
    }
}
