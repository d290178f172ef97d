// cva6.sv - CVA6 with its bus as single ports, and the tests' device as memory with side effects
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module memlift_cva6 (
  input  logic        clk, rst_n,
  output logic        aw_valid, w_valid, w_last, b_ready, ar_valid, r_ready, aw_lock, ar_lock,
  output logic [3:0]  aw_id, ar_id,
  output logic [63:0] aw_addr, ar_addr, w_data,
  output logic [7:0]  aw_len, ar_len, w_strb,
  output logic [2:0]  aw_size, ar_size,
  output logic [1:0]  aw_burst, ar_burst,
  output logic [5:0]  aw_atop,
  input  logic        b_valid, r_valid, r_last,
  input  logic [3:0]  b_id, r_id,
  input  logic [1:0]  b_resp, r_resp,
  input  logic [63:0] r_data
);
  // The core as its makers configure it, but for what may be read and written twice.
  function automatic ariane_pkg::ariane_cfg_t with_device();
    ariane_pkg::ariane_cfg_t c = ariane_pkg::ArianeDefaultConfig;
    c.NrNonIdempotentRules = 1;
    c.NonIdempotentAddrBase[0] = 64'h4000_0000;
    c.NonIdempotentLength[0] = 64'h20_0000;
    return c;
  endfunction
  localparam ariane_pkg::ariane_cfg_t Config = with_device();

  ariane_axi::req_t req;
  ariane_axi::resp_t resp;

  assign aw_valid = req.aw_valid;
  assign aw_id = req.aw.id;
  assign aw_addr = req.aw.addr;
  assign aw_len = req.aw.len;
  assign aw_size = req.aw.size;
  assign aw_burst = req.aw.burst;
  assign aw_lock = req.aw.lock;
  assign aw_atop = req.aw.atop;
  assign w_valid = req.w_valid;
  assign w_data = req.w.data;
  assign w_strb = req.w.strb;
  assign w_last = req.w.last;
  assign b_ready = req.b_ready;
  assign ar_valid = req.ar_valid;
  assign ar_id = req.ar.id;
  assign ar_addr = req.ar.addr;
  assign ar_len = req.ar.len;
  assign ar_size = req.ar.size;
  assign ar_burst = req.ar.burst;
  assign ar_lock = req.ar.lock;
  assign r_ready = req.r_ready;

  always_comb begin
    resp = '0;
    resp.aw_ready = 1'b1;
    resp.w_ready = 1'b1;
    resp.ar_ready = 1'b1;
    resp.b_valid = b_valid;
    resp.b.id = b_id;
    resp.b.resp = b_resp;
    resp.r_valid = r_valid;
    resp.r.id = r_id;
    resp.r.data = r_data;
    resp.r.resp = r_resp;
    resp.r.last = r_last;
  end

  ariane #(.ArianeCfg(Config)) core (
    .clk_i(clk), .rst_ni(rst_n), .boot_addr_i(64'h8000_0000), .hart_id_i(64'h0),
    .irq_i(2'b0), .ipi_i(1'b0), .time_irq_i(1'b0), .debug_req_i(1'b0),
    .axi_req_o(req), .axi_resp_i(resp)
  );
endmodule
