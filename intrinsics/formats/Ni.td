// Ni.td - words of the network interface. Records only: no code of this version drives it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def NiTrigger : Format<"NI_TRIGGER", "little", 16> {
  let Title = "network interface: trigger word pair of a channel, word 1 written last";
  let Source = "field widths: the packetizer's paper; their places: ours (42 + 22 = 64)";
  let Fields = [
    Field<"ADDRESS", 0, 8, 41, 0, "destination address">,
    Field<"COORDINATES", 0, 8, 63, 42, "destination node">,
    Field<"SIZE", 8, 8, 13, 0, "payload bytes, 1 to 256">,
    Field<"TIMEOUT", 8, 8, 21, 14, "time until retry, in 20 us">,
    Field<"AUTO_CHAIN", 8, 8, 22, 22, "send after the previous channel was acknowledged">
  ];
}
