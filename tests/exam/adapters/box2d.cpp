// Box2D. build: c++ -O2 box2d.cpp -lbox2d
// Restitution is the larger one of the two, friction the root of the product. Contacts below the restitution threshold
// do not bounce, and corners have a radius of b2_polygonRadius.
#include <box2d/box2d.h>

#include <string>

#include "engine.hpp"

static bool strike(const Scene &s, double step, Motion &after) {
    b2World world(b2Vec2(0, 0));
    b2BodyDef still, moving;
    b2EdgeShape plane;
    b2PolygonShape box;
    b2CircleShape disc;
    b2FixtureDef of;
    plane.SetTwoSided(b2Vec2(-500, 0), b2Vec2(500, 0));
    of.friction = (float)s.friction;
    of.restitution = (float)s.restitution;
    of.restitutionThreshold = 0;
    of.density = 1;
    of.shape = &plane;
    world.CreateBody(&still)->CreateFixture(&of);
    moving.type = b2_dynamicBody;
    moving.bullet = true;
    moving.allowSleep = false;
    moving.position.Set((float)s.centre[0], (float)s.centre[1]);
    moving.angle = (float)s.angle;
    moving.linearVelocity.Set((float)s.motion.v[0], (float)s.motion.v[1]);
    moving.angularVelocity = (float)s.motion.w[2];
    b2Body *body = world.CreateBody(&moving);
    box.SetAsBox((float)(s.half[0] > 0 ? s.half[0] : 1), (float)(s.half[1] > 0 ? s.half[1] : 1));
    disc.m_radius = (float)s.radius;
    of.shape = s.body == DISC ? (b2Shape *)&disc : (b2Shape *)&box;
    body->CreateFixture(&of);
    b2MassData mass = {1, b2Vec2(0, 0), (float)s.inertia[2]};
    body->SetMassData(&mass);
    auto read = [&] {
        b2Vec2 v = body->GetLinearVelocity();
        return Motion{{v.x, v.y, 0}, {0, 0, body->GetAngularVelocity()}};
    };
    return follow(read, [&] { world.Step((float)step, 20, 10); }, after, 1);
}

int main() {
    std::string version = std::to_string(b2_version.major) + "." + std::to_string(b2_version.minor) + "." +
                          std::to_string(b2_version.revision);
    return exam("box2d", version.c_str(), false, strike);
}
