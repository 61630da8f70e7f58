% The law of sphere.py as a guest in Octave: octave-cli --quiet sphere.m
1;
function out = law(angle, friction, restitution)
  slip = tan(angle) - 3.5 * friction .* (1 + restitution);
  out = [2 - (slip > 0), max(slip, 0)];              % mode: 1 slip, 2 roll
end
puts(['{"impactsweep_guest": 1, "name": "law", "version": "1", "parameters": [' ...
      '{"name": "angle", "unit": "rad", "low": 0, "high": 1.57}, ' ...
      '{"name": "friction", "low": 0, "high": 10, "default": 0.2}, ' ...
      '{"name": "restitution", "low": 0, "high": 1, "default": 0.8}], "outputs": [' ...
      '{"name": "mode", "categories": [{"name": "slip"}, {"name": "roll"}]}, ' ...
      '{"name": "slip_ratio", "unit": "1"}]}' "\n"]);
fflush(stdout);
while true
  head = fread(stdin, 2, "double");                  % number of the request, cells
  if numel(head) < 2, break, end
  cells = head(2);
  in = reshape(fread(stdin, 3 * cells, "double"), cells, 3);
  out = [ones(cells, 1), law(in(:, 1), in(:, 2), in(:, 3))];
  fwrite(stdout, [head; numel(out); out(:)], "double");
  fflush(stdout);
end
