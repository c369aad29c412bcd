// The fragment stage of clips: coverages unite to a + b − a·b, which is what blending makes of (c, c). Any file of
// coverage/ stands before it.

@fragment
fn mask(in: Corner) -> @location(0) vec4<f32> {
    return vec4<f32>(coverage(in, in.position.xy + vec2<f32>(view.origin)));
}
