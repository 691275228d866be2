import { constants } from 'node:os';
import type { MountOptions } from '../driver.ts';
import { DONE, type Handlers, Refusal } from './handler.ts';
import { type Agreement, agreeOn, encodeInit } from './protocol/init.ts';
import { decodeInit } from './protocol/request.ts';

/** Only root may have the kernel read a disk's files directly (CAP_SYS_ADMIN). */
const MAY_PASS_THROUGH = process.geteuid?.() === 0;

/** The first and the last request of a connection. @param onInit called once both sides have agreed on what they can do */
export function serveInit(
  { seeOpens }: Pick<MountOptions, 'seeOpens'>,
  onInit: (agreement: Agreement) => void,
): Handlers {
  return {
    init(request) {
      const agreement = agreeOn(decodeInit(request), seeOpens, MAY_PASS_THROUGH);
      if (agreement === undefined) throw new Refusal(constants.errno.EPROTO);
      onInit(agreement);
      return { encode: (out) => encodeInit(out, agreement) };
    },
    destroy: () => DONE,
  };
}
