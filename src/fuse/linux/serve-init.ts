import { constants } from 'node:os';
import type { MountOptions } from '../driver.ts';
import { DONE, type Handlers, Refusal } from './handler.ts';
import { type Agreement, agreeOn, encodeInit } from './protocol/init.ts';
import { decodeInit } from './protocol/request.ts';

/** Only root may have the kernel read files of disks (CAP_SYS_ADMIN). */
const MAY_PASS_THROUGH = process.geteuid?.() === 0;

/** The beginning and the end of a connection. @param onInit called when both sides have agreed */
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
