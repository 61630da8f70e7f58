% Octave: ode45 with events. usage: octave-cli -q pendulum.m CELLS TOLERANCE
%
% The phases and margins of pendulum.h. ode45 finds an event on the chord of its last step, so that step is
% repeated, with a length by the secant rule.
1;

function rate = rates(y, p)
  force = ifelse(p.slip, p.friction * p.slip * y(2), -p.stiffness * y(3));
  v_n = p.sine * y(1);
  rate = [p.cosine * force - p.sine * y(2); v_n; ifelse(p.slip, -p.reach * p.slip * v_n, p.cosine * y(1))];
end

function chosen = ifelse(condition, yes, no)
  if (condition) chosen = yes; else chosen = no; end
end

function margin = margins(y, p)
  beyond = 1e-9;
  margin = [1; 1; 1];
  if (y(1) > 0) margin(1) = -y(2); end
  if (p.slip)
    margin(2) = (p.slip * p.cosine + p.reach * p.sine) * y(1) + ifelse(p.left, beyond, 0);
  else
    open = ifelse(p.left, 0, 1);
    margin(2) = -p.reach * y(2) - y(3) + open + ifelse(p.left > 0, beyond, 0);
    margin(3) = -p.reach * y(2) + y(3) + open + ifelse(p.left < 0, beyond, 0);
  end
end

function [value, terminal, direction] = events(y, p)
  value = margins(y, p);
  terminal = [1; 1; 1];
  direction = [-1; -1; -1];
end

% A margin that does not jump where the body turns.
function margin = smooth(which, y, p)
  margin = ifelse(which == 1, -y(2), margins(y, p)(which));
end

% The state where a margin falls through zero, soon after y: by the secant rule.
function last = locate(which, y, step, p, tolerance, options)
  before = smooth(which, y, p);
  for k = 1:20
    last = ode45(@(t, y) rates(y, p), [0, step], y, odeset(options, "InitialStep", step)).y(:, end);
    after = smooth(which, last, p);
    if (abs(after) <= tolerance / 100 || before <= max(after, 0)) return; end
    step = step * before / (before - after);
  end
end

% The margin that ended the phase, 0: none; and the state there.
function [which, y] = phase(p, horizon, tolerance)
  options = odeset("RelTol", tolerance, "AbsTol", tolerance, "InitialStep", 0.02);
  with_events = odeset(options, "Events", @(t, y) events(y, p));
  found = ode45(@(t, y) rates(y, p), [0, horizon], p.y, with_events);
  which = 0;
  y = found.y(:, end);
  if (isempty(found.ie)) return; end
  which = found.ie(end);
  step = found.x(end) - found.x(end - 1);
  y = locate(which, found.y(:, end - 1), step, p, tolerance, options);
  earlier = find(margins(y, p) < -1e-6, 1); % another margin fell in the same step
  if (! isempty(earlier))
    which = earlier;
    y = locate(which, found.y(:, end - 1), step, p, tolerance, options);
  end
end

function [mode, restitution] = solve(cell, tolerance)
  p = struct("sine", sin(cell(1)), "cosine", cos(cell(1)), "friction", cell(2), "stiffness", 1 / cell(3), ...
             "reach", cell(2) * cell(3), "left", 0);
  p.slip = ifelse(p.cosine < p.reach * p.sine, 0, -1);
  p.y = [-1 / p.sine; 0; 0];
  restitution = NaN;
  for k = 0:11
    horizon = 1000;
    if (! p.slip && p.left) horizon = pi / sqrt(p.stiffness * p.cosine^2 + p.sine^2); end
    [which, p.y] = phase(p, horizon, tolerance);
    if (which == 0)
      mode = ifelse(p.slip, "failed", "wedge");
      return;
    elseif (which == 1)
      restitution = p.sine * p.y(1);
      mode = "other";
      if (k == 0) mode = ifelse(p.slip, "gross_slip", "gross_stick"); end
      if (k == 2) mode = "slip_stick_slip_reversed"; end
      return;
    end
    before = p.slip;
    p.slip = ifelse(before, 0, ifelse(which == 2, 1, -1));
    p.left = ifelse(before, before, 1);
    if (before) p.y(3) = -before * p.reach * p.y(2); end
  end
  mode = "failed";
end

warning ("off", "all"); % ode45 warns at every event
words = argv();
cells = load(words{1});
tolerance = str2double(words{2});
n = rows(cells);
modes = cell(n, 1);
restitution = zeros(n, 1);
tic;
for i = 1:n
  [modes{i}, restitution(i)] = solve(cells(i, :), tolerance);
end
printf("%.9g\n", toc);
for i = 1:n
  printf("%s %.17g\n", modes{i}, restitution(i));
end
