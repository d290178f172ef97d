def EngineTemplate : Engine<"template"> {
  let Implemented = 1;
  let Fills = 1;
  let Copies = 1;
  let PatternBytes = 8;
  let MaxBytes = 1048576;
  let CommandsInFlight = 16;
  let Source = [{where each of these figures is from}];
}
