// The fragment stage: coverage × paint, for fixed-function blending (what is there times one less the source's alpha,
// plus the source). Any file of coverage/ and any of paint/ stand before it.

struct Drawn {
    // Encoded sRGB times alpha, and alpha.
    @location(0) color: vec4<f32>,
    // How far the pixel is to be dithered; its alpha is the colour's.
    @location(1) dither: vec4<f32>,
}

@fragment
fn draw(in: Corner) -> Drawn {
    // The pixel's centre on the canvas.
    let p = in.position.xy + vec2<f32>(view.origin);
    let c = coverage(in, p);
    let source = paint(in.paint, p);
    let color = source.color * c;
    return Drawn(color, vec4<f32>(source.banded * c, 0.0, 0.0, color.a));
}
