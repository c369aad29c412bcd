//! Logos of every kind, and malicious logos, through the child that reads them.

use std::time::Instant;

use fleet::import::{ImportError, Importer, LogoPicture};
use fleet::sandbox::Sandbox;
use render_core::limits::{LOGO_EDGE_PX, SVG_DEPTH, SVG_NODES};

use super::*;

fn importer() -> LocalImporter {
    LocalImporter::new(Sandbox::new(2).unwrap(), Fonts::new())
}

async fn logo(file: impl Into<Bytes>) -> Result<LogoPicture, String> {
    importer().logo(Uuid::from_u128(1), file.into()).await.map_err(|e| match e {
        ImportError::Refused(why) => why,
        other => panic!("{other}"),
    })
}

/// Returns the width, height and pixels of a stored logo.
fn pixels(picture: &LogoPicture) -> (u32, u32, Vec<[u8; 4]>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(&picture.png[..])).read_info().unwrap();
    let mut data = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut data).unwrap();
    assert_eq!((frame.color_type, frame.width, frame.height), (png::ColorType::Rgba, picture.width, picture.height));
    (frame.width, frame.height, data.chunks_exact(4).map(|p| [p[0], p[1], p[2], p[3]]).collect())
}

/// Returns whether two colours look alike.
fn near(a: [u8; 4], b: [u8; 4]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 24)
}

macro_rules! disc {
    ($($name:literal),+) => { [$(($name, &include_bytes!(concat!("../../../tests/data/logos/", $name))[..])),+] };
}

const RED: [u8; 4] = [200, 30, 40, 255];

#[tokio::test]
async fn every_kind_of_file_becomes_the_same_picture() {
    for (name, file) in disc!("disc.png", "disc-16.png", "disc-palette.png", "disc-lossless.webp", "disc.gif") {
        let (width, height, pixels) = pixels(&logo(file).await.unwrap_or_else(|e| panic!("{name}: {e}")));
        assert_eq!((width, height), (48, 48), "{name}: the clear borders are gone");
        assert!(near(pixels[24 * 48 + 24], RED), "{name}");
        assert_eq!([pixels[0][3], pixels[47][3], pixels[48 * 48 - 1][3]], [0; 3], "{name}: the corners are clear");
    }
    let (width, height, grey) = pixels(&logo(disc!("disc-grey.png")[0].1).await.unwrap());
    assert_eq!((width, height, grey[0][3]), (48, 48, 0));
    assert!(near(grey[24 * 48 + 24], [82, 82, 82, 255]), "{:?}", grey[24 * 48 + 24]);
    // Lossy alpha may leave traces at the edges.
    let (width, _, lossy) = pixels(&logo(disc!("disc-lossy.webp")[0].1).await.unwrap());
    assert!((48..=96).contains(&width) && lossy.iter().any(|p| near(*p, RED)) && lossy.iter().any(|p| p[3] == 0));
    for (name, file) in disc!("disc.jpg", "disc-grey.jpg", "disc-cmyk.jpg") {
        let (width, height, pixels) = pixels(&logo(file).await.unwrap_or_else(|e| panic!("{name}: {e}")));
        assert_eq!((width, height), (96, 64), "{name}: white is no clear border");
        let want = if name == "disc-grey.jpg" { [82, 82, 82, 255] } else { RED };
        assert!(near(pixels[32 * 96 + 40], want), "{name} {:?}", pixels[32 * 96 + 40]);
        assert!(near(pixels[0], [255; 4]), "{name} {:?}", pixels[0]);
    }
}

#[tokio::test]
async fn lines_are_drawn_large_and_pixels_are_reduced() {
    let svg = r##"<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN"
        "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [<!ENTITY red "#c81e28">]>
        <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 1000 1000">
        <script>while (true) {}</script><style>@import url("https://example.org/a.css"); .r { fill: &red; }</style>
        <defs><rect id="r" width="40" height="20"/></defs>
        <a href="https://example.org/"><use xlink:href="#r" x="400" y="300" class="r"/></a></svg>"##;
    let (width, height, drawn) = pixels(&logo(svg).await.unwrap());
    assert!(width > LOGO_EDGE_PX - 10 && width.abs_diff(height * 2) < 5, "what is seen fills it: {width}×{height}");
    assert!(drawn.iter().filter(|p| near(**p, RED)).count() > drawn.len() * 98 / 100);

    let mut large = Vec::new();
    let mut encoder = png::Encoder::new(&mut large, 3000, 1500);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&vec![40; 3000 * 1500]).unwrap();
    let (width, height, small) = pixels(&logo(large.clone()).await.unwrap());
    assert_eq!((width, height), (LOGO_EDGE_PX, LOGO_EDGE_PX / 2));
    assert!(small.iter().all(|p| *p == [40, 40, 40, 255]));
    // An embedded picture is decoded within the same limits.
    let embedded = disc!("disc.png")[0].1;
    let data: String = embedded.iter().map(|b| format!("%{b:02x}")).collect();
    let svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='96' height='64'>\
         <image width='96' height='64' href='data:image/png,{data}'/></svg>"
    );
    let (width, height, seen) = pixels(&logo(svg).await.unwrap());
    assert!(width.abs_diff(LOGO_EDGE_PX) < 30 && height.abs_diff(LOGO_EDGE_PX) < 30, "{width}×{height}");
    assert!(near(seen[(height / 2 * width + width / 2) as usize], RED));
}

fn svg(body: &str) -> String {
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' viewBox='0 0 9 9'>{body}</svg>"
    )
}

#[tokio::test]
async fn what_would_be_drawn_wrongly_is_refused_with_the_reason() {
    let nested = "<g>".repeat(SVG_DEPTH + 1) + "<rect width='9' height='9'/>" + &"</g>".repeat(SVG_DEPTH + 1);
    let many = "<rect width='9' height='9'/>".repeat(SVG_NODES + 1);
    for (file, why) in [
        (svg("<text>Acme</text>"), "outlines"),
        (svg("<image width='9' height='9' href='https://example.org/a.png'/>"), "outside the file"),
        (svg("<image width='9' height='9' xlink:href='file:///etc/passwd'/>"), "outside the file"),
        (svg("<image width='9' height='9' href='/etc/passwd'/>"), "outside the file"),
        (svg("<use href='other.svg#a'/>"), "outside the file"),
        (svg("<image width='9' height='9' href='data:image/svg+xml,%3Csvg/%3E'/>"), "image/svg+xml"),
        (svg(&nested), "deep"),
        (svg(&many), "can't be read"),
        (svg(""), "nothing of it can be seen"),
        (svg("<rect width='9' height='9' fill='none'/>"), "nothing of it can be seen"),
        ("<svg width='9' height='9'><rect width='9' height='9'/></svg>".into(), "SVG namespace"),
        ("<svg xmlns='http://www.w3.org/2000/svg'><rect".into(), "can't be read"),
        ("<!DOCTYPE html><svg/>".into(), "SVG namespace"),
        ("plain text".into(), "neither"),
        (String::new(), "neither"),
    ] {
        let refused = logo(file.clone()).await.expect_err(&file);
        assert!(refused.contains(why), "{refused:?} for {file:.200}");
    }
}

/// Each ends in a refusal, soon, and affects nothing else.
#[tokio::test]
async fn logos_made_to_harm_harm_nobody() {
    let xxe = "<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>\
               <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><title>&x;</title></svg>";
    let mut laughs = "<!DOCTYPE svg [<!ENTITY a0 'ha'>".to_owned();
    for n in 1..30 {
        laughs += &format!("<!ENTITY a{n} '{}'>", format!("&a{};", n - 1).repeat(10));
    }
    laughs += "]><svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><desc>&a29;</desc></svg>";
    let mut uses = "<g id='u0'><rect width='9' height='9'/></g>".to_owned();
    for n in 1..60 {
        uses += &format!("<g id='u{n}'>{}</g>", format!("<use href='#u{}'/>", n - 1).repeat(10));
    }
    let circle = "<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>";
    let blurs = "<filter id='f' x='-9999' y='-9999' width='99999' height='99999'>".to_owned()
        + &"<feTurbulence numOctaves='99999' baseFrequency='.9'/><feGaussianBlur stdDeviation='999'/>".repeat(5_000)
        + "</filter><rect width='9' height='9' filter='url(#f)'/>";
    let deep = "<g>".repeat(100_000);
    for file in [xxe.to_owned(), laughs, svg(&uses), svg(circle), svg(&blurs), svg(&deep)] {
        let began = Instant::now();
        let answer = logo(file.clone()).await;
        assert!(answer.is_err(), "{file:.200}");
        assert!(began.elapsed().as_secs() < 20, "{file:.200}");
    }
    // Sizes that are too large, and one that is zero.
    for size in ["viewBox='0 0 1e30 1e30'", "viewBox='0 0 1e9 1'", "width='1e30' height='1e-30'", "viewBox='0 0 0 0'"] {
        let file = format!("<svg xmlns='http://www.w3.org/2000/svg' {size}><rect width='100%' height='100%'/></svg>");
        if let Ok(picture) = logo(file).await {
            assert!(picture.width <= LOGO_EDGE_PX && picture.height <= LOGO_EDGE_PX, "{size}");
        }
    }
}

/// Returns a PNG of this size, whose pixels are all the same.
fn bomb(width: u32, height: u32) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().unwrap();
    let mut stream = writer.stream_writer().unwrap();
    let row = vec![0; width.div_ceil(8) as usize];
    (0..height).for_each(|_| std::io::Write::write_all(&mut stream, &row).unwrap());
    stream.finish().unwrap();
    drop(writer);
    out
}

#[tokio::test]
async fn pictures_that_unpack_to_too_much_are_refused_before_they_do() {
    for (width, height) in [(60_000, 60_000), (8_193, 8), (8_192, 8_192)] {
        let refused = logo(bomb(width, height)).await.unwrap_err();
        assert!(refused.contains(&format!("{width} × {height}")), "{refused}");
    }
    assert!(logo(bomb(4_096, 4_096)).await.is_ok());
    // The largest allowed sizes, in the formats that take most memory.
    let mut deep = Vec::new();
    let mut encoder = png::Encoder::new(&mut deep, 4_000, 4_000);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Sixteen);
    encoder.set_compression(png::Compression::Fast);
    encoder.write_header().unwrap().write_image_data(&vec![0x7f; 4_000 * 4_000 * 8]).unwrap();
    for file in [deep, include_bytes!("../../../tests/data/pictures/large.avif").to_vec()] {
        let picture = logo(file).await.unwrap();
        assert_eq!((picture.width, picture.height), (LOGO_EDGE_PX, LOGO_EDGE_PX));
    }
    // The same for files that only claim such a size.
    let mut webp = b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f".to_vec();
    webp.extend(((16_383_u32) | 16_383 << 14).to_le_bytes());
    webp.extend([0; 8]);
    let gif =
        [&b"GIF89a"[..], &[0xff; 4], &[0, 0, 0, 0x2c, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 2, 0, 0x3b]].concat();
    let mut jpeg = disc!("disc.jpg")[0].1.to_vec();
    let frame = jpeg.windows(2).position(|w| w == [0xff, 0xc0]).unwrap();
    jpeg[frame + 5..frame + 9].fill(0xff);
    for file in [webp, gif, jpeg] {
        assert!(logo(file).await.is_err());
    }
}

#[tokio::test]
async fn broken_files_are_refused_and_nothing_worse() {
    for (name, file) in disc!("disc.png", "disc.jpg", "disc-lossless.webp", "disc.gif") {
        // A bad checksum, a file cut short, and a few bytes of noise in its middle.
        let mut noisy = file.to_vec();
        let middle = noisy.len() / 2;
        noisy[middle..middle + 9].iter_mut().for_each(|b| *b ^= 0x5a);
        for broken in [&file[..file.len() / 2], &file[..20], &noisy] {
            // Some decoders return what there is; none may crash the service.
            if let Err(why) = logo(broken.to_vec()).await {
                assert!(why.len() > 8, "{name}: {why}");
            }
        }
        assert!(logo(file[..12].to_vec()).await.is_err(), "{name}");
    }
    let mut checksum = disc!("disc.png")[0].1.to_vec();
    let last = checksum.len() - 13;
    checksum[last] ^= 1;
    assert!(logo(checksum).await.is_err());
}

#[test]
fn an_answer_that_is_none_is_not_stored() {
    let answer = |width: u32, height: u32, bytes: usize| {
        [&width.to_le_bytes()[..], &height.to_le_bytes(), &vec![7; bytes]].concat()
    };
    assert!(logo::picture(&answer(2, 3, 24)).is_ok());
    for wrong in [answer(2, 3, 23), answer(0, 0, 0), answer(1 << 16, 1 << 16, 0), answer(1025, 1, 4100), vec![1; 7]] {
        assert!(matches!(logo::picture(&wrong), Err(ImportError::Refused(_))));
    }
}

#[tokio::test]
async fn a_font_is_checked_and_named() {
    let file = include_bytes!("../../../tests/data/fonts/noto-sans-cherokee-700.woff2");
    let font = importer().font(Uuid::from_u128(1), Bytes::from_static(file)).await.unwrap();
    assert_eq!((font.family.as_str(), font.weight, &font.sfnt[..4]), ("Noto Sans Cherokee", 700, &[0, 1, 0, 0][..]));
    let refused = importer().font(Uuid::from_u128(1), Bytes::from_static(b"ttcf, they say")).await.unwrap_err();
    assert!(matches!(&refused, ImportError::Refused(why) if why.contains("collection")), "{refused}");
}

#[test]
fn the_operator_s_families_are_offered_beside_the_built_in_ones() {
    let fonts = Fonts::new();
    let cherokee = include_bytes!("../../../tests/data/fonts/noto-sans-cherokee-400.ttf");
    fonts.add(render_core::text::check_font(cherokee).unwrap()).unwrap();
    let families = LocalImporter::new(Sandbox::new(1).unwrap(), fonts).families();
    let manrope = families.iter().find(|f| f.name == "Manrope").unwrap();
    assert_eq!((&manrope.weights[..], manrope.built_in), (&[500, 600, 700, 800][..], true));
    let added = families.last().unwrap();
    assert_eq!((added.name.as_str(), &added.weights[..], added.built_in), ("Noto Sans Cherokee", &[400][..], false));
    assert!(families.iter().all(|f| f.name != "Noto Sans JP" && f.name != "Noto Sans Math"));
}

#[tokio::test]
async fn i18_logos_of_one_account_keep_no_other_waiting() {
    let noise = Bytes::from_static(
        b"<svg xmlns='http://www.w3.org/2000/svg' width='400' height='400'><filter id='f'><feTurbulence \
          baseFrequency='0.05' numOctaves='6'/></filter><rect width='400' height='400' filter='url(#f)'/></svg>",
    );
    const LOUD: Uuid = Uuid::from_u128(1);
    let (importer, done) = (importer(), parking_lot::Mutex::new((0, 0)));
    let loud = async |importer: &LocalImporter| {
        let read = importer.logo(LOUD, noise.clone()).await;
        let mut done = done.lock();
        match read {
            Ok(_) => done.0 += 1,
            Err(ImportError::Busy(_)) => done.1 += 1,
            Err(other) => panic!("{other}"),
        }
    };
    let quiet = async {
        importer.logo(Uuid::from_u128(2), noise.clone()).await.unwrap();
        done.lock().0
    };
    let all = futures::future::join_all((0..28).map(|_| loud(&importer)));
    let (_, before) = tokio::join!(all, quiet);
    assert_eq!(*done.lock(), (1 + WAITING, 28 - 1 - WAITING), "read, and refused at once");
    assert!(before <= WAITING / 2, "{before} logos of the other account were read before");
}
