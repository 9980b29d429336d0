import { Drawer, Menu, Modal } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  width?: number;
}

/** One question on top of the page. Focus is trapped and returns; Esc closes. */
export function Dialog({ open, onClose, title, children, width = 480 }: Props) {
  return (
    <Modal opened={open} onClose={onClose} title={<span style={{ fontSize: 16, fontWeight: 600 }}>{title}</span>} size={width} zIndex={300} transitionProps={{ duration: 120 }}>
      {children}
    </Modal>
  );
}

/** A longer thing that slides in from the right and leaves the page in sight. */
export function Sheet({ open, onClose, title, children, width = 460 }: Props) {
  return (
    <Drawer opened={open} onClose={onClose} position="right" size={width} zIndex={300} transitionProps={{ duration: 150 }}
      title={<span style={{ fontSize: 16, fontWeight: 600 }}>{title}</span>} overlayProps={{ backgroundOpacity: 0.25 }}>
      {children}
    </Drawer>
  );
}

export { Menu };
