/* spu_dma.h - transfers by the names of PSL1GHT, without the folder
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <dma/spu_dma.h>
