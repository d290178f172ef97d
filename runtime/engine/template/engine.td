def EngineTemplate : Engine<"template"> {
  let Fills = 1;
  let Copies = 1;
  let PatternBytes = 8;
  let Granule = 64;
  let MinBytes = 65536;
  let MaxBytes = 1048576;
  let InFlight = 16;
  let Source = [{where each of these figures is from}];
}
