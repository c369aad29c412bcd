// Coverage: a mask in the atlas; `shape` says where in it the box's first pixel lies.

@group(1) @binding(0) var atlas: texture_2d<f32>;

fn coverage(in: Corner, p: vec2<f32>) -> f32 {
    return textureLoad(atlas, unpack(in.shape) + vec2<i32>(p) - unpack(in.near), 0).r;
}
