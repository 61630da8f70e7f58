"""The parts of figures of histories: panels, planes, phases, units and names."""
