import "./app.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { createBrowserRouter, Outlet, RouterProvider, useLocation } from "react-router";
import { AgentsScreen } from "../features/agents";
import { Loading, UiProvider } from "../ui";
import { ErrorBoundary, NotFound } from "./Fault";
import { Home } from "./Home";
import { makeQueryClient } from "./queries";
import { useSignedIn } from "./session";

const DesignPage = lazy(() => import("./DesignPage"));
const VersionPage = lazy(() => import("./VersionPage"));
const LivePage = lazy(() => import("./LivePage"));
const CallsScreen = lazy(async () => ({ default: (await import("../features/live")).CallsScreen }));

function Root() {
  const { pathname } = useLocation();
  useSignedIn();
  return (
    <ErrorBoundary key={pathname}>
      <Suspense fallback={<Loading what="Opening…" />}><Outlet /></Suspense>
    </ErrorBoundary>
  );
}

const router = createBrowserRouter([
  {
    element: <Root />,
    children: [
      { path: "/", element: <Home><AgentsScreen /></Home> },
      { path: "/agents", element: <Home><AgentsScreen /></Home> },
      { path: "/agents/:id", element: <DesignPage /> },
      { path: "/agents/:id/versions/:number", element: <VersionPage /> },
      { path: "/calls", element: <Home><CallsScreen /></Home> },
      { path: "/calls/:id", element: <LivePage /> },
      { path: "*", element: <Home><NotFound /></Home> },
    ],
  },
]);

/** The page: providers around the router. */
export function App() {
  const [client] = useState(makeQueryClient);
  return (
    <UiProvider>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </UiProvider>
  );
}
